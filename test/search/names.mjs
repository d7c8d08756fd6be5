import { toDocument } from './sets.mjs';

/** How many of the tools are found by each way to name them. */
export function countNamed(rows, { ToolSearchIndex, toolName }) {
  const documents = rows.map((row) => ({
    ...toDocument(row),
    name: toolName('mcp__{server}__{tool}', { name: row.server }, row.tool),
  }));
  const index = new ToolSearchIndex(documents);
  const isFound = (query, document) => index.search(query).some(({ name }) => name === document.name);
  const count = (toQuery) => documents.filter((document) => isFound(toQuery(document), document)).length;
  return {
    tools: documents.length,
    ways: {
      'full name': count(({ name }) => name),
      "server's name": count(({ tool }) => tool),
      'server/tool': count(({ server, tool }) => `${server}/${tool}`),
      'select:full name': count(({ name }) => `select:${name}`),
      "select:server's name": count(({ tool }) => `select:${tool}`),
    },
  };
}
