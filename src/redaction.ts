import { types } from 'node:util';
import { PhraseFinder } from './phrase-finder.ts';
import { formsOf } from './secret-forms.ts';

const MASK = '***';
const CIRCULAR = '[circular]';
// Shorter values are words that occur by themselves; masking them would garble every line.
const MIN_SECRET_LENGTH = 6;
// A key of several lines is often printed line by line; its short lines are no secret.
const MIN_LINE_LENGTH = 16;
const MAX_DEPTH = 64;

/** Replaces known secret values in text, in every form in which they commonly travel. */
export class Scrubber {
  readonly #forms = new Map<string, readonly string[]>();
  #finder: PhraseFinder | undefined;

  /** Remembers a value that must not be seen again; false when it is too short to be told from ordinary text. */
  add(value: string): boolean {
    // Whitespace around a secret is lost on its way, and is no secret.
    const secret = value.trim();
    if (secret.length < MIN_SECRET_LENGTH) return false;
    if (this.#forms.has(secret)) return true;
    this.#forms.set(secret, [secret, ...longLines(secret)].flatMap(formsOf));
    this.#finder = undefined;
    return true;
  }

  scrub(text: string): string {
    if (this.#forms.size === 0) return text;
    this.#finder ??= new PhraseFinder([...new Set([...this.#forms.values()].flat())]);
    let scrubbed = '';
    let rest = 0;
    for (const { start, end } of this.#finder.find(text)) {
      scrubbed += text.slice(rest, start) + MASK;
      rest = end;
    }
    return rest === 0 ? text : scrubbed + text.slice(rest);
  }

  /** A plain copy of a value in which every string and number, keys included, is scrubbed. */
  scrubValue<Value>(value: Value): Value {
    if (this.#forms.size === 0) return value;
    return this.#copy(value, new Map(), 0) as Value;
  }

  #copy(value: unknown, copies: Map<object, unknown>, depth: number): unknown {
    if (typeof value === 'string') return this.scrub(value);
    if (typeof value === 'number' || typeof value === 'bigint') return this.#copyNumber(value);
    // A function that was copied could still tell what it knows, as toJSON does.
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (copies.has(value)) return copies.get(value);
    if (depth > MAX_DEPTH) return MASK;
    copies.set(value, CIRCULAR);
    const copy = this.#copyObject(value, (item) => this.#copy(item, copies, depth + 1));
    copies.set(value, copy);
    return copy;
  }

  #copyNumber(value: number | bigint): number | bigint | string {
    const text = String(value);
    const scrubbed = this.scrub(text);
    return scrubbed === text ? value : scrubbed;
  }

  #copyObject(value: object, copyItem: (item: unknown) => unknown): unknown {
    if (Array.isArray(value)) return value.map(copyItem);
    if (value instanceof Map) return new Map([...value].map(([key, item]) => [copyItem(key), copyItem(item)]));
    if (value instanceof Set) return new Set([...value].map(copyItem));
    if (types.isStringObject(value) || value instanceof URL) return this.scrub(String(value));
    // Bytes may hold a secret in any encoding.
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return MASK;
    return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, item]) => [this.scrub(key), copyItem(item)]));
  }
}

function longLines(secret: string): readonly string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE_LENGTH);
}

/** What is shown of an object; of an error its stack is not, because it repeats the message. */
function fieldsOf(value: object): object {
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  return Object.assign({}, value, { name, message }, cause !== undefined && { cause });
}
