import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, wherever the command was started. */
export const root = fileURLToPath(new URL('..', import.meta.url));

// Inside node_modules, so that whatever removes the installed packages removes what we claim about them.
const stampFolder = join(root, 'node_modules', '.cache', 'fairlead');

/** Something the reader can put right; its message says how. */
export class SetUpError extends Error {}

/** What was noted after the last success, or undefined. */
export function readStamp(name) {
  try {
    return readFileSync(join(stampFolder, name), 'utf8');
  } catch {
    return undefined;
  }
}

/** Notes a success so that no other process ever reads half of it. */
export function writeStamp(name, text) {
  mkdirSync(stampFolder, { recursive: true });
  const draft = join(stampFolder, `${name}.${randomUUID()}`);
  writeFileSync(draft, text);
  renameSync(draft, join(stampFolder, name));
}

/** One hash over several texts, none of which can run into the next. */
export function hashOf(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${Buffer.byteLength(text)}:`).update(text);
  return hash.digest('hex');
}
