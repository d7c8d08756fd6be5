import { Caller, Hub, MarkdownSection, McpServer, PromptTemplate, SequentialDependencyPolicy } from 'fairlead';
import { createGit } from './git-server.ts';

const git = new MarkdownSection({
  title: 'Git',
  key: 'git',
  template: 'Look at what changed before you commit it.',
  mcps: [
    // From npm: McpServer.npm('git', '@cyanheads/git-mcp-server').withPolicies(…)
    McpServer.sdk('git', createGit).withPolicies(new SequentialDependencyPolicy({ git_commit: ['git_diff'] })),
  ],
});
const rendered = await new PromptTemplate({ ns: 'demo', key: 'git', sections: [git] }).bind().render();

// What an adapter does with a rendered prompt.
await using hub = new Hub({ servers: rendered.mcps });
const caller = new Caller({ hub, sectionPolicies: rendered.policies });
console.log((await caller.call('mcp__git__git_commit', { message: 'Fix it' })).message);
await caller.call('mcp__git__git_diff');
console.log((await caller.call('mcp__git__git_commit', { message: 'Fix it' })).content);
