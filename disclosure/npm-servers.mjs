import { readFileSync } from 'node:fs';
import { McpServer, Hub } from '../dist/index.js';
import { parseTools } from '../dist/tools/tool-definition.js';
import { MarkdownSection } from '../dist/prompt/markdown-section.js';
import { PromptTemplate } from '../dist/prompt/prompt-template.js';

/** The tool lists of public servers, by server, in the order of the file. */
export function readServers(file) {
  const servers = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line);
    const server = servers.get(row.server) ?? { name: row.server, description: row.server_description, tools: [] };
    servers.set(row.server, server);
    const { tool: name, description = '', inputSchema = { type: 'object' } } = row;
    server.tools.push({ name, description, inputSchema });
  }
  return [...servers.values()];
}

/** A hub that has seen these servers before and cannot start any. */
export function hubKnowing(servers) {
  const byName = new Map(servers.map((server) => [server.name, server]));
  return new Hub({
    catalogs: {
      memoryOf: ({ server }) => ({ recall: () => catalogOf(byName.get(server)?.tools ?? []), keep: () => undefined }),
      flush: () => Promise.resolve(),
    },
  });
}

/** A closed section per server, without a word by an author. */
export function closedPrompt(servers, { visibility = 'summary', more = [] } = {}) {
  const sections = servers.map(
    ({ name, description }) =>
      new MarkdownSection({
        title: name,
        key: name,
        template: `Use the tools of ${name}.`,
        visibility,
        mcps: [McpServer.stdio(name, 'never-started', [name], description === undefined ? {} : { description })],
      }),
  );
  return new PromptTemplate({ ns: 'disclosure', key: 'servers', sections: [...sections, ...more] }).bind();
}

/** A closed section of text, for which there must be a tool that reads it. */
export function houseRules() {
  return new MarkdownSection({ title: 'House rules', key: 'rules', template: 'Be kind.', visibility: 'summary' });
}

function catalogOf(tools) {
  return { ...parseTools(tools, tools.length), warnings: [] };
}
