import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from '../dist/index.js';
import { SetUpError } from '../scripts/project.mjs';

// All of them start at once on a machine that may be small.
const CONNECT_TIMEOUT_MS = 60_000;

/** The declaration of a listed server: its installed program, run by this Node, at home in the folder. */
export function declareServer(entry, folder, mark) {
  const home = join(folder, entry.name);
  mkdirSync(home, { recursive: true });
  for (const [name, text] of Object.entries(entry.files ?? {})) writeFileSync(join(home, name), text);
  const { args = [], env = {} } = inFolder(entry, home);
  return McpServer.stdio(entry.name, process.execPath, [programOf(entry), ...args], {
    cwd: home,
    env: { HOME: home, DO_NOT_TRACK: '1', ...mark, ...env },
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    description: entry.package,
  });
}

/** The same value with the server's folder where the list says `{folder}`. */
export function inFolder(value, folder) {
  if (typeof value === 'string') return value.replaceAll('{folder}', folder);
  if (Array.isArray(value)) return value.map((item) => inFolder(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inFolder(item, folder)]));
}

function programOf(entry) {
  const manifest = fileURLToPath(new URL(`node_modules/${entry.package}/package.json`, import.meta.url));
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  if (version !== entry.version)
    throw new SetUpError(`${entry.package} is installed as ${version}; the list has ${entry.version}.`);
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]);
}
