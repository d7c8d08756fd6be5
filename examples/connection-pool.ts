import {
  Caller,
  defineTool,
  McpConnectionPool,
  McpIntegrationSection,
  McpServer,
  PromptTemplate,
  ResourceContainer,
  Session,
} from 'fairlead';
import { z } from 'zod';
import { createGitHub } from './github-server.ts';

const session = new Session();
const count = defineTool({
  name: 'count_tools',
  description: 'Counts the tools of a server.',
  params: z.object({ server: z.string() }),
  handler: ({ server }, { resources }) => {
    // The connections of the prompt's integration section.
    const connection = resources.get(McpConnectionPool)?.get(server);
    return connection ? `${connection.tools.length} tools, ${connection.status.phase}` : 'There is no such server.';
  },
});
await using section = await McpIntegrationSection.open({
  servers: [McpServer.sdk('github', createGitHub)],
  session,
  tools: [count],
});

const prompt = new PromptTemplate({ ns: 'demo', key: 'pool', sections: [section] }).bind();
await using resources = new ResourceContainer(prompt.resources);
const caller = new Caller({ hub: section.hub, session, tools: [count], resources });
console.log((await caller.call('count_tools', { server: 'github' })).content);
console.log((await caller.call('count_tools', { server: 'gitlab' })).content);
