/** A stretch of a text, from its first character to just behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const TABLE_SIZE = 65_536;
const MAX_WINDOW = 255;

/** Finds many phrases in one pass: most characters are leapt over (the algorithm of Wu and Manber, in blocks of two). */
export class PhraseFinder {
  readonly #window: number;
  readonly #shifts: Uint8Array;
  /** The phrases by the block that ends their window, longest first. */
  readonly #candidates = new Map<number, string[]>();

  /** Takes phrases of at least two characters. */
  constructor(phrases: readonly string[]) {
    this.#window = phrases.reduce((least, phrase) => Math.min(least, phrase.length), MAX_WINDOW);
    this.#shifts = new Uint8Array(TABLE_SIZE).fill(this.#window - 1);
    for (const phrase of phrases.toSorted((left, right) => right.length - left.length)) this.#enter(phrase);
  }

  /** Everything that is covered by a phrase; phrases that overlap give one span. */
  find(text: string): readonly Span[] {
    const spans: { start: number; end: number }[] = [];
    const shifts = this.#shifts;
    for (let last = this.#window - 1; last < text.length;) {
      const block = blockAt(text, last);
      const shift = shifts[block] ?? 1;
      if (shift > 0) {
        last += shift;
        continue;
      }
      const start = last - this.#window + 1;
      const length = this.#longestAt(text, start, block);
      if (length > 0) cover(spans, start, start + length);
      last += 1;
    }
    return spans;
  }

  #longestAt(text: string, start: number, block: number): number {
    const first = text.charCodeAt(start);
    for (const phrase of this.#candidates.get(block) ?? []) {
      if (phrase.charCodeAt(0) === first && text.startsWith(phrase, start)) return phrase.length;
    }
    return 0;
  }

  #enter(phrase: string): void {
    for (let last = 1; last < this.#window; last += 1) {
      const block = blockAt(phrase, last);
      this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, this.#window - 1 - last);
    }
    const block = blockAt(phrase, this.#window - 1);
    const phrases = this.#candidates.get(block) ?? [];
    this.#candidates.set(block, phrases);
    phrases.push(phrase);
  }
}

/** The two characters that end at an index, as a place in the table; several pairs may share one. */
function blockAt(text: string, last: number): number {
  return ((text.charCodeAt(last - 1) << 8) ^ text.charCodeAt(last)) & (TABLE_SIZE - 1);
}

function cover(spans: { start: number; end: number }[], start: number, end: number): void {
  const previous = spans.at(-1);
  if (previous && start < previous.end) previous.end = Math.max(previous.end, end);
  else spans.push({ start, end });
}
