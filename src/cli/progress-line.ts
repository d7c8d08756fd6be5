import type { Clock, Timer } from '../clock.ts';
import { cutToWidth } from './display-width.ts';
import type { LiveRegion } from './live-region.ts';
import type { Output } from './output.ts';
import { oneLine } from './printable.ts';
import { SPINNER_MS, spinnerFrame } from './spinner.ts';
import { formatElapsed } from './time-text.ts';

/** One moving line on stderr while something is waited for; nothing where no terminal shows it. */
export class ProgressLine implements Disposable {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #region: LiveRegion | undefined;
  #text: () => string;
  #timer: Timer | undefined;
  #frame = 0;
  #isOver = false;

  constructor(output: Output, clock: Clock, text: () => string) {
    this.#output = output;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#text = text;
    if (output.canShowProgress) this.#region = output.openProgress();
    this.#draw();
  }

  /** Shows another text from now on. */
  say(text: string): void {
    this.#text = () => text;
  }

  /** Takes the line away for as long as something else needs the terminal. */
  async aside<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#hide();
    try {
      return await work();
    } finally {
      if (!this.#isOver) this.#draw();
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#hide();
  }

  #hide(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#region?.clear();
  }

  #draw(): void {
    if (!this.#region) return;
    const { paintNote, noteWidth } = this.#output;
    const elapsed = formatElapsed(this.#clock.monotonic() - this.#startedAt);
    const text = cutToWidth(`${oneLine(this.#text())} ${elapsed}`, noteWidth - 3);
    this.#region.show([`${paintNote.cyan(spinnerFrame(this.#frame))} ${text}`]);
    this.#frame += 1;
    this.#timer = this.#clock.after(SPINNER_MS, () => this.#draw());
  }
}
