import { MarkdownSection, McpServer, PromptTemplate } from 'fairlead';

const git = new MarkdownSection({
  title: 'Git Operations',
  key: 'git',
  template: `
    You have access to git operations via the git MCP server.
    Use these tools to inspect and modify the repository.
  `,
  mcps: [McpServer.npm('git', '@cyanheads/git-mcp-server')],
});

// Rendering starts no server: an adapter does, when the agent begins.
const rendered = await new PromptTemplate({ ns: 'demo', key: 'git', sections: [git] }).bind().render();
console.log(rendered.text);
console.log(rendered.mcps.map(({ name, description }) => ({ name, description })));
