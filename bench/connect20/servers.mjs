import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** Real servers of three kinds, each with arguments or an environment of its own, so that no two are the same. */
export function realServers(folder, count) {
  return Array.from({ length: count }, (_, index) => {
    const own = join(folder, String(index));
    mkdirSync(own, { recursive: true });
    return { name: `server-${index}`, command: process.execPath, ...KINDS[index % KINDS.length](own) };
  });
}

const KINDS = [
  (own) => ({ args: [program('filesystem'), own], env: {} }),
  (own) => ({ args: [program('memory')], env: { MEMORY_FILE_PATH: join(own, 'memory.jsonl') } }),
  (own) => ({ args: [program('everything'), 'stdio'], env: { BENCH_FOLDER: own } }),
];

function program(name) {
  return resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
}
