import { defineParams, MarkdownSection, McpServer, PromptTemplate } from 'fairlead';

const Database = defineParams<{ dbPath: string; enableWrite: boolean }>('database', {
  defaults: { dbPath: '', enableWrite: false },
});

const database = new MarkdownSection({
  title: 'Database Access',
  key: 'database',
  params: Database,
  template: `
    Database available at: $dbPath
    Write access: $enableWrite
  `,
  enabled: ({ dbPath }) => dbPath !== '',
  // Args are no templates: a function makes the server of the params.
  mcps: ({ dbPath }) => [McpServer.uvx('sqlite', 'mcp-server-sqlite', ['--db', dbPath])],
});
const template = new PromptTemplate({ ns: 'demo', key: 'database', sections: [database] });

const without = await template.bind().render();
console.log([without.text, without.mcps]);
const bound = await template.bind(Database({ dbPath: '/data/app.db' })).render();
console.log(bound.text);
console.log(bound.mcps.map(({ transport }) => transport.kind === 'stdio' && transport.args));
