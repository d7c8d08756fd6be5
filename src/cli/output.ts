import { createPaint, mayColour } from './colour.ts';
import type { Paint } from './colour.ts';
import { LiveRegion } from './live-region.ts';
import type { TerminalStream } from './live-region.ts';
import { printable } from './printable.ts';

/** One of the two streams that a command writes to. */
export interface OutputStream extends TerminalStream {
  readonly isTTY?: boolean;
  write(data: string | Uint8Array): unknown;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly noColor: boolean;
}

const MIN_COLUMNS = 40;
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** Where a command writes: results on stdout, everything else on stderr. */
export class Output {
  /** Whether a person reads stdout as it comes. */
  readonly isTerminal: boolean;
  /** Whether the terminal of stdout, or that of stderr, can be drawn upon. */
  readonly canRedraw: boolean;
  readonly canShowProgress: boolean;
  /** Whether a person sees what is written to stderr. */
  readonly isSeen: boolean;
  readonly paint: Paint;
  readonly paintNote: Paint;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  #live: LiveRegion | undefined;

  constructor(options: OutputOptions) {
    const { stdout, stderr, env, noColor } = options;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = stdout.isTTY === true;
    const isDumb = env['TERM'] === 'dumb';
    this.canRedraw = this.isTerminal && !isDumb;
    this.isSeen = stderr.isTTY === true;
    this.canShowProgress = this.isSeen && !isDumb;
    this.paint = createPaint(mayColour({ isTerminal: this.isTerminal, env, noColor }));
    this.paintNote = createPaint(mayColour({ isTerminal: this.isSeen, env, noColor }));
  }

  /** How wide a line may be; nothing is cut where no terminal shows it. */
  get width(): number {
    return this.isTerminal ? Math.max(MIN_COLUMNS, this.#stdout.columns || DEFAULT_COLUMNS) : Infinity;
  }

  /** How many lines the terminal shows at once. */
  get height(): number {
    return this.#stdout.rows || DEFAULT_ROWS;
  }

  get noteWidth(): number {
    return Math.max(MIN_COLUMNS, this.#stderr.columns || DEFAULT_COLUMNS);
  }

  line(text = ''): void {
    this.#stdout.write(`${text}\n`);
  }

  lines(lines: readonly string[]): void {
    if (lines.length > 0) this.line(lines.join('\n'));
  }

  /** Text of a server's making: a terminal gets it without control characters, a pipe as it is. */
  foreign(text: string): void {
    if (!this.isTerminal) this.#stdout.write(text);
    else this.#stdout.write(printable(text).replace(/\n?$/, '\n'));
  }

  bytes(data: Uint8Array): void {
    this.#stdout.write(data);
  }

  /** The one document of a command that was asked for JSON. */
  json(value: unknown): void {
    this.line(JSON.stringify(value, undefined, 2));
  }

  /** One of many documents, on a line of its own. */
  jsonLine(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  /** A line for the person at the terminal; never part of the result. */
  note(text: string): void {
    if (this.#live?.isShown) this.#live.above(text);
    else this.#stderr.write(`${text}\n`);
  }

  /** What a person is asked; the answer follows on the same line. */
  question(text: string): void {
    this.#stderr.write(text);
  }

  /** Lines on stdout that are drawn again in place. */
  openScreen(): LiveRegion {
    this.#live = new LiveRegion(this.#stdout);
    return this.#live;
  }

  /** Lines on stderr that are drawn again in place, for as long as something is waited for. */
  openProgress(): LiveRegion {
    this.#live = new LiveRegion(this.#stderr);
    return this.#live;
  }

  /** Gives the terminal back as it was, whatever was being drawn. */
  restore(): void {
    this.#live?.leave();
  }
}
