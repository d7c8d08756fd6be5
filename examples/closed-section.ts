import { MarkdownSection, McpServer, PromptTemplate, Session, setVisibility } from 'fairlead';

const advanced = new MarkdownSection({
  title: 'Advanced Tools',
  key: 'advanced',
  template: `
    Advanced filesystem and database tools are available.
    Use these for complex operations.
  `,
  summary: 'Advanced tools available. Expand for details.',
  visibility: 'summary',
  mcps: [
    McpServer.npm('fs', '@modelcontextprotocol/server-filesystem', ['/data']),
    McpServer.uvx('sqlite', 'mcp-server-sqlite'),
  ],
});
const prompt = new PromptTemplate({ ns: 'demo', key: 'advanced', sections: [advanced] }).bind();
const session = new Session();

const closed = await prompt.render({ session });
console.log(closed.text);
console.log(closed.mcps.length);

// What the tool open_sections does when the model calls it.
setVisibility(session, 'advanced', 'full');
const open = await prompt.render({ session });
console.log(open.text);
console.log(open.mcps.map(({ name }) => name));
