import { McpIntegrationSection, McpServer, PromptTemplate, Session } from 'fairlead';
import { createGitHub } from './github-server.ts';
import { createNotes } from './notes-server.ts';

const servers = [
  McpServer.sdk('github', createGitHub, { disabledTools: ['delete_repo'] }),
  McpServer.sdk('notes', createNotes, { enabledTools: ['read_note', 'write_note'] }),
];

// Without a template the section lists what there is.
await using inventory = await McpIntegrationSection.open({ servers, session: new Session() });
const listed = new PromptTemplate({ ns: 'demo', key: 'inventory', sections: [inventory] });
console.log((await listed.bind().render()).text);

await using custom = await McpIntegrationSection.open({
  servers,
  session: new Session(),
  template: `
    External integrations are available. Use the GitHub tools to manage
    issues and the notes to remember what was decided.

    Available servers: \${server_names}
    Total tools: \${tool_count}
  `,
});
const told = new PromptTemplate({ ns: 'demo', key: 'custom', sections: [custom] });
console.log((await told.bind().render()).text);
