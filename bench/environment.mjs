import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

const PACKAGES = {
  fairlead: '../package.json',
  '@modelcontextprotocol/client': '../node_modules/@modelcontextprotocol/client/package.json',
  '@modelcontextprotocol/sdk': '../node_modules/@modelcontextprotocol/sdk/package.json',
  '@ai-sdk/mcp': 'node_modules/@ai-sdk/mcp/package.json',
};

/** What a number depends on: when, with which versions, on what, and how busy that was at the start. */
export function describeEnvironment() {
  const versions = Object.entries(PACKAGES).map(([name, path]) => `${name} ${versionOf(path)}`);
  const [model] = cpus();
  const [load] = loadavg();
  // Servers that have a session of their own get a greater share of a busy machine than those of the bare SDK.
  const caution = load > cpus().length / 2 ? '; too busy for numbers to be relied on' : '';
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform}-${process.arch}`,
    versions.join(', '),
    `${cpus().length} processors (${model?.model ?? 'unknown'}), load average at the start ${load.toFixed(1)}${caution}`,
  ];
}

function versionOf(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
}
