import { McpConnectionError, McpIntegrationSection, McpServer, Session } from 'fairlead';
import { createGitHub } from './github-server.ts';

const section = new McpIntegrationSection({
  servers: [McpServer.sdk('github', createGitHub)],
  session: new Session(),
});
// No connections yet.
try {
  section.tools();
} catch (error) {
  console.log(error instanceof McpConnectionError, (error as Error).message);
}

await section.connect(); // Establishes all connections.
console.log(section.connected, section.tools().length);

await section.disconnect(); // Closes all connections.
console.log(section.connected);
