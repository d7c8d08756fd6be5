// Loaded into every server of Node that holds canaries: tells them on stderr and with every failure, as careless servers do.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { spellingsOf } from '../fixtures/servers/spellings.mjs';
import { withCanaries } from './told-failure.mjs';

const held = ['CANARY_TOKEN', 'CANARY', 'LEAK_CANARY'].flatMap((name) => process.env[name] ?? []);
const told = held.flatMap(spellingsOf);
// Of its last lines a server's own are the ones to be read; whole, if ours are short.
process.stderr.write(`canaries\n${told.toReversed().join('\n')}\n`);

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => write(enriched(chunk), ...rest);
const { writeSync } = fs;
fs.writeSync = (descriptor, chunk, ...rest) => {
  const changed = descriptor === 1 && rest.length === 0 ? enriched(chunk) : chunk;
  if (changed === chunk) return writeSync(descriptor, chunk, ...rest);
  const bytes = Buffer.from(changed);
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
  return Buffer.byteLength(chunk);
};
syncBuiltinESMExports();

function enriched(chunk) {
  return withCanaries(chunk, told.join(' ; '));
}
