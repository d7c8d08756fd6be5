import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { canarySettings, createCanaries } from './canaries.mjs';

// A piece is long enough not to occur by chance, and short enough to notice a secret that was cut before it was masked.
const PIECE = 10;
const AROUND = 60;
const MAX_DEPTH = 30;

const FILE = 'seen.jsonl';

/** Looks for canaries in whatever leaves Fairlead, and writes down where one was seen. */
export class Watch {
  #phrases;
  #settings;

  constructor(settings = canarySettings()) {
    this.#settings = settings;
    this.#phrases = createCanaries(settings.seed).cores.flatMap(phrasesOf);
  }

  /** Searches a thing in every form; `at` says which test it belongs to. */
  search(sink, thing, at = this.#settings.at) {
    const texts = [];
    collect(thing, { texts, met: new Set() }, 0);
    const text = texts.join('\n');
    const seen = this.#phrases.filter((phrase) => text.includes(phrase.text));
    const [first] = seen;
    if (first === undefined) return;
    const index = text.indexOf(first.text);
    const around = text.slice(Math.max(0, index - AROUND), index + AROUND);
    const forms = [...new Set(seen.map(({ form }) => form))];
    appendFileSync(join(this.#settings.folder, FILE), `${JSON.stringify({ ...at, sink, forms, around })}\n`);
  }

  /** Searches the names and the contents of all files under a folder. */
  searchFolder(folder, at) {
    // A test may have taken it away itself.
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      this.search(`file ${relative(folder, path)}`, entry.isFile() ? [path, readFileSync(path)] : path, at);
    }
  }
}

/** What was seen in a run so far. */
export function readSightings(folder) {
  const file = join(folder, FILE);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line));
}

/** The forms of a core. They are made otherwise than the scrubber makes them, so that both do not err alike. */
function phrasesOf(core) {
  const pieces = core.match(new RegExp(`.{${PIECE}}`, 'g'));
  const hex = pieces.map((piece) => Buffer.from(piece).toString('hex'));
  // Whatever is around it, base64 spells three bytes by themselves, and where these begin is one of three places.
  const base64 = [0, 1, 2].flatMap((skipped) => core.slice(skipped).match(/.{9}/g).map(btoa));
  return [
    ...pieces.map((text) => ({ form: 'text', text })),
    ...hex.flatMap((text) => [text, text.toUpperCase()]).map((text) => ({ form: 'hex', text })),
    ...base64.map((text) => ({ form: 'base64', text })),
  ];
}

/** Every text that a thing shows: of an error also its stack and causes, of an object also what is not enumerable. */
function collect(thing, found, depth) {
  if (typeof thing === 'string') found.texts.push(thing);
  if (typeof thing !== 'object' || thing === null || depth > MAX_DEPTH || found.met.has(thing)) return;
  found.met.add(thing);
  if (ArrayBuffer.isView(thing)) {
    found.texts.push(Buffer.from(thing.buffer, thing.byteOffset, thing.byteLength).toString('utf8'));
    return;
  }
  if (thing instanceof URL) found.texts.push(thing.href);
  if (thing instanceof Map || thing instanceof Set) collect([...thing], found, depth + 1);
  for (const key of Reflect.ownKeys(thing)) {
    const { value } = Reflect.getOwnPropertyDescriptor(thing, key) ?? {};
    if (typeof key === 'string' && !Array.isArray(thing)) found.texts.push(key);
    collect(value, found, depth + 1);
  }
}
