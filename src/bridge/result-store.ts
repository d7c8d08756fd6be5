import { McpError } from '../errors.ts';

export interface ResultStoreLimits {
  /** Characters that are kept in all; the oldest results go first. */
  readonly maxCharacters: number;
}

/** A stretch of a long text. */
export interface ResultPiece {
  readonly text: string;
  readonly offset: number;
  readonly totalCharacters: number;
  /** Where the next piece begins, if there is more. */
  readonly nextOffset?: number;
}

const DEFAULT_LIMITS: ResultStoreLimits = { maxCharacters: 64 * 1024 * 1024 };

/** Keeps the texts that were too long for a model, so that it can read on. */
export class ResultStore {
  readonly #limits: ResultStoreLimits;
  readonly #texts = new Map<string, string>();
  #characters = 0;
  #count = 0;

  constructor(limits: ResultStoreLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Whether there was ever anything to read on in. */
  get isUsed(): boolean {
    return this.#count > 0;
  }

  /** Keeps a text; gives the handle to read it by. */
  keep(text: string): string {
    this.#count += 1;
    const handle = `result-${this.#count}`;
    this.#texts.set(handle, text);
    this.#characters += text.length;
    for (const [oldest, old] of this.#texts) {
      // The newest one is kept whatever its size: its reader has only this handle.
      if (this.#characters <= this.#limits.maxCharacters || oldest === handle) break;
      this.#texts.delete(oldest);
      this.#characters -= old.length;
    }
    return handle;
  }

  read(handle: string, { offset = 0, length }: ReadRange): ResultPiece {
    const text = this.#texts.get(handle);
    if (text === undefined) {
      const known = [...this.#texts.keys()].join(', ') || 'none';
      throw new McpError('ARGUMENTS_INVALID', `no result '${handle}' is kept; kept are: ${known}`);
    }
    const end = Math.max(wholeCharacters(text, offset + length), Math.min(text.length, offset + 1));
    const piece = { text: text.slice(offset, end), offset, totalCharacters: text.length };
    return end < text.length ? { ...piece, nextOffset: end } : piece;
  }
}

/** Where a text can be cut, at this place or one before: half a character would be lost on its way to a model. */
export function wholeCharacters(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(end - 1, end + 1)) ? end - 1 : end;
}

export interface ReadRange {
  readonly offset?: number;
  readonly length: number;
}
