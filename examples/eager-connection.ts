import { McpIntegrationSection, McpServer, Session } from 'fairlead';
import { createGitHub } from './github-server.ts';

await using section = new McpIntegrationSection({
  servers: [McpServer.sdk('github', createGitHub)],
  session: new Session(),
  connectOnInit: true, // Connects immediately …
});
await section.ready; // … and this is when it is done.
console.log(section.connected, section.tools().length);
