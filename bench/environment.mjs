import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const PACKAGES = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
  '@ai-sdk/mcp',
  '@openai/agents',
  '@langchain/mcp-adapters',
  '@mastra/mcp',
];
// In the order in which an import from here looks for a package.
const FOLDERS = ['node_modules', '../node_modules'];

/** What a number depends on: when, with which versions, on what, and how busy that was at the start. */
export function describeEnvironment() {
  const manifests = [readManifest('../package.json'), ...PACKAGES.map(manifestOf)];
  const [model] = cpus();
  const [load] = loadavg();
  // Servers that have a session of their own get a greater share of a busy machine than those of the bare SDK.
  const caution = load > cpus().length / 2 ? '; too busy for numbers to be relied on' : '';
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform}-${process.arch}`,
    manifests.map(versionText).join(', '),
    `${cpus().length} processors (${model?.model ?? 'unknown'}), load average at the start ${load.toFixed(1)}${caution}`,
  ];
}

/** A peer may run on a Node that it does not promise to run on; whoever reads its numbers should know. */
function versionText({ name, version, engines }) {
  const asked = engines?.node ?? '';
  const isTooNew = majorOf(asked) > majorOf(process.versions.node);
  return `${name} ${version}${isTooNew ? ` (asks for Node ${asked})` : ''}`;
}

function majorOf(text) {
  return Number(text.match(/\d+/)?.[0] ?? 0);
}

function manifestOf(name) {
  const paths = FOLDERS.map((folder) => `${folder}/${name}/package.json`);
  return readManifest(paths.find((path) => existsSync(new URL(path, import.meta.url))));
}

function readManifest(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
