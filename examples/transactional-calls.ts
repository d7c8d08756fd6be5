import { Caller, defineSlice, defineTool, McpIntegrationSection, McpServer, Session } from 'fairlead';
import { z } from 'zod';
import { createGitHub } from './github-server.ts';

const Filed = defineSlice<string>({ name: 'filed' });
const session = new Session();
session.dispatcher.subscribe('tool-invoked', ({ name, source, mcpServer, outcome }) => {
  console.log(name, source, mcpServer, outcome);
});
await using section = await McpIntegrationSection.open({ servers: [McpServer.sdk('github', createGitHub)], session });

const file = defineTool({
  name: 'file_issue',
  description: 'Files an issue and remembers it.',
  params: z.object({ title: z.string() }),
  handler: async ({ title }, context) => {
    context.session.slice(Filed).append(title);
    const { success, content } = await context.call('github_create_issue', { title });
    return { content, isError: !success };
  },
});
const caller = new Caller({ hub: section.hub, session, tools: [file] });

// The server refuses an empty title: what was written before the call is rolled back.
await caller.call('file_issue', { title: '' });
console.log(session.slice(Filed).all());
await caller.call('file_issue', { title: 'It is broken' });
console.log(session.slice(Filed).all());
