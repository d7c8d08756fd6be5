/** Lines that wait to be written, and how many were given up before them. */
export interface WaitingLines {
  readonly lines: readonly string[];
  readonly dropped: number;
}

// Below this the dropped lines are not worth moving the others.
const COMPACT_AFTER = 1024;

/** Keeps lines up to a number of characters; the oldest go first, and are counted. */
export class LineBuffer {
  readonly #maxCharacters: number;
  #lines: string[] = [];
  #first = 0;
  #characters = 0;
  #dropped = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    this.#dropOldest();
  }

  /** Empties the buffer. */
  takeAll(): WaitingLines {
    const taken = { lines: this.#lines.slice(this.#first), dropped: this.#dropped };
    this.#fill([]);
    this.#dropped = 0;
    return taken;
  }

  /** Puts back what was taken and not written, before what came since. */
  putBack({ lines, dropped }: WaitingLines): void {
    this.#fill([...lines, ...this.#lines.slice(this.#first)]);
    this.#dropped += dropped;
    this.#dropOldest();
  }

  #fill(lines: string[]): void {
    this.#lines = lines;
    this.#first = 0;
    this.#characters = lines.reduce((sum, line) => sum + line.length, 0);
  }

  #dropOldest(): void {
    while (this.#characters > this.#maxCharacters) {
      this.#characters -= this.#lines[this.#first]?.length ?? 0;
      this.#first += 1;
      this.#dropped += 1;
    }
    if (this.#first < COMPACT_AFTER) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }
}
