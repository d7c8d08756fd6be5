import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OWN_REQUESTS = new URL('requests.jsonl', import.meta.url);
const SENTENCE = /^[\s\S]{20,}?[.!?](?=\s|$)|^[^\n]{20,}/;
const MAX_SENTENCE = 400;

/** The sets to search: published ones with their queries, and the tools of public servers with requests of our own. */
export function readSets(folder) {
  const published = ['stabletoolbench', 'metatool']
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => ({
      name,
      tools: rows(join(folder, name, 'tools.jsonl')),
      queries: rows(join(folder, name, 'queries.jsonl')),
    }));
  const servers = join(folder, 'npm-servers', 'tools.jsonl');
  return existsSync(servers) ? [...published, ...serverSets(rows(servers))] : published;
}

/** A published row as a document of our index. */
export function toDocument(row) {
  return {
    name: `${row.server}/${row.tool}`,
    tool: row.tool,
    server: row.server,
    serverTitle: row.server_name,
    serverDescription: row.server_description,
    section: { key: row.server },
    description: row.description,
    inputSchema: row.inputSchema,
  };
}

function serverSets(tools) {
  const own = rows(OWN_REQUESTS);
  return [
    { name: 'own steps', tools, queries: own.filter(({ kind }) => kind === 'step') },
    { name: 'own tasks', tools, queries: own.filter(({ kind }) => kind === 'task') },
    heldOutSentences(tools),
  ];
}

/** The first sentence of each description asks for the tool, which no longer has it. */
function heldOutSentences(tools) {
  const sentences = tools.map(({ description }) => SENTENCE.exec((description ?? '').trim())?.[0] ?? '');
  return {
    name: 'held-out sentences',
    tools: tools.map((tool, place) => ({
      ...tool,
      description: (tool.description ?? '').replace(sentences[place], ''),
    })),
    queries: tools.flatMap((tool, place) =>
      sentences[place] === '' || sentences[place].length >= MAX_SENTENCE
        ? []
        : [{ query: sentences[place], gold: [`${tool.server}/${tool.tool}`] }],
    ),
  };
}

function rows(file) {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
