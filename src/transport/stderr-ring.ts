import { stripHidden } from '../tools/hidden-characters.ts';

const NEWLINE = 0x0a;
// Colours and cursor moves, window titles, and the two-character sequences.
const ESCAPE_SEQUENCES =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[PX\]^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B[ -/]*[0-~]?/g;

/** The end of what a server wrote to stderr, in bounded memory and safe to show. */
export class StderrRing {
  readonly #capacity: number;
  #bytes: Buffer | undefined;
  #next = 0;
  #written = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(chunk: Buffer): void {
    this.#bytes ??= Buffer.alloc(this.#capacity);
    this.#written += chunk.length;
    let rest = chunk.subarray(-this.#capacity);
    while (rest.length > 0) {
      const copied = rest.copy(this.#bytes, this.#next);
      this.#next = (this.#next + copied) % this.#capacity;
      rest = rest.subarray(copied);
    }
  }

  /** The text without escape sequences and control characters; a first line that lost its beginning is left out. */
  get text(): string {
    if (!this.#bytes) return '';
    if (this.#written <= this.#capacity) return readable(this.#bytes.subarray(0, this.#written));
    const ordered = Buffer.concat([this.#bytes.subarray(this.#next), this.#bytes.subarray(0, this.#next)]);
    const firstBreak = ordered.indexOf(NEWLINE);
    const isWorthCutting = firstBreak !== -1 && firstBreak < ordered.length - 1;
    return readable(isWorthCutting ? ordered.subarray(firstBreak + 1) : fromCharacterStart(ordered));
  }
}

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll(ESCAPE_SEQUENCES, '');
  return stripHidden(text.replaceAll(/\r\n?/g, '\n'));
}

/** Without the rest of a character whose first bytes are gone. */
function fromCharacterStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
