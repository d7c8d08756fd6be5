import { displayWidth } from './display-width.ts';
import { stripVTControlCharacters } from 'node:util';

/** The part of a terminal's stream that a live region needs. */
export interface TerminalStream {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const CLEAR_BELOW = '\u001B[0J';
const DEFAULT_COLUMNS = 80;

/** The last lines of a terminal, drawn again in place as often as they change. */
export class LiveRegion {
  readonly #stream: TerminalStream;
  #lines: readonly string[] = [];

  constructor(stream: TerminalStream) {
    this.#stream = stream;
  }

  get isShown(): boolean {
    return this.#lines.length > 0;
  }

  /** Shows these lines where the former ones were. */
  show(lines: readonly string[]): void {
    const shown = this.#fitting(lines);
    if (shown.length === this.#lines.length && shown.every((line, index) => line === this.#lines[index])) return;
    this.#stream.write(`${this.#toStart()}${HIDE_CURSOR}${shown.map((line) => `${line}\n`).join('')}`);
    this.#lines = shown;
  }

  /** Writes lasting lines above the region. */
  above(text: string): void {
    const lines = this.#lines;
    this.#stream.write(`${this.#toStart()}${text}\n${lines.map((line) => `${line}\n`).join('')}`);
  }

  /** Takes the lines away. */
  clear(): void {
    if (!this.isShown) return;
    this.#stream.write(`${this.#toStart()}${SHOW_CURSOR}`);
    this.#lines = [];
  }

  /** Leaves the lines as they are and lets the terminal go on below them. */
  leave(): void {
    if (!this.isShown) return;
    this.#stream.write(SHOW_CURSOR);
    this.#lines = [];
  }

  /** More lines than the terminal has could not be reached again to be overwritten. */
  #fitting(lines: readonly string[]): readonly string[] {
    const rows = this.#stream.rows || lines.length + 1;
    if (lines.length < rows) return lines;
    const kept = lines.slice(0, Math.max(0, rows - 2));
    return [...kept, `… ${lines.length - kept.length} more lines`];
  }

  /** Back to the region's first line, all below it cleared; a terminal made narrower has wrapped our lines. */
  #toStart(): string {
    const columns = this.#stream.columns || DEFAULT_COLUMNS;
    const height = this.#lines.reduce((sum, line) => {
      return sum + Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns));
    }, 0);
    return height === 0 ? `\r${CLEAR_BELOW}` : `\r\u001B[${height}A${CLEAR_BELOW}`;
  }
}
