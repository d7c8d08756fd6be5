import { Hub, MarkdownSection, McpServer, PromptTemplate } from 'fairlead';
import { createGit } from './git-server.ts';

const git = new MarkdownSection({
  title: 'Git',
  key: 'git',
  template: 'Use the git tools.',
  mcps: [McpServer.sdk('git', createGit)],
});
const prompt = new PromptTemplate({ ns: 'demo', key: 'git', sections: [git] }).bind();

// Connects the servers of the open sections on the hub, and no others.
await using hub = new Hub();
const rendered = await prompt.render({ discoverMcpTools: true, hub });
console.log(rendered.mcpTools?.map(({ name, description }) => `${name}: ${description}`));
