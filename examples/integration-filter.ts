import { McpIntegrationSection, McpServer, Session } from 'fairlead';
import { createGitHub } from './github-server.ts';

await using section = await McpIntegrationSection.open({
  servers: [
    McpServer.sdk('github', createGitHub, {
      enabledTools: ['create_issue', 'list_issues', 'get_issue'],
      disabledTools: ['delete_repo'],
    }),
  ],
  session: new Session(),
});
console.log(section.tools().map(({ name }) => name));
