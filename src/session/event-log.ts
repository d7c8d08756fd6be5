import { systemClock } from '../clock.ts';
import type { Clock, Timer } from '../clock.ts';
import { Scrubber } from '../redaction.ts';
import { toEventLine } from './event-line.ts';
import { LineBuffer } from './line-buffer.ts';
import type { WaitingLines } from './line-buffer.ts';
import { LineFile } from './line-file.ts';
import type { SessionEvent } from './session-event.ts';

export interface EventLogOptions {
  /** Made if it is not there, with its folder; several processes may write to one file. */
  readonly file: string;
  readonly clock?: Clock;
  /** Masks secrets in every event. */
  readonly scrubber?: Scrubber;
  /** How long events are gathered before they are written together. */
  readonly batchMs?: number;
  /** From this size on the file becomes `<file>.1`, in the place of the one before, and a new one begins. */
  readonly maxBytes?: number;
  /** How much may wait to be written; beyond it the oldest events are given up. */
  readonly maxWaitingCharacters?: number;
  /** Hears when a batch cannot be written; its events wait for the next. */
  readonly onError?: (error: unknown) => void;
}

/** Events as lines of JSON in a file; what is not flushed or closed when the process ends is lost. */
export class EventLog implements AsyncDisposable {
  readonly #file: LineFile;
  readonly #clock: Clock;
  readonly #scrubber: Scrubber;
  readonly #batchMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: LineBuffer;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(options: EventLogOptions) {
    this.#file = new LineFile(options.file, options.maxBytes ?? 10 * 1024 * 1024);
    this.#clock = options.clock ?? systemClock;
    this.#scrubber = options.scrubber ?? new Scrubber();
    this.#batchMs = options.batchMs ?? 50;
    this.#onError = options.onError ?? (() => undefined);
    this.#waiting = new LineBuffer(options.maxWaitingCharacters ?? 8 * 1024 * 1024);
  }

  static async open(options: EventLogOptions): Promise<EventLog> {
    const log = new EventLog(options);
    await log.#file.prepare();
    return log;
  }

  /** Takes an event to be written with the next batch; never throws, and does nothing once the log is closed. */
  write(event: SessionEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(toEventLine(event, this.#clock.now(), this.#scrubber));
    this.#timer ??= this.#clock.after(
      this.#batchMs,
      () => void this.flush().catch((error: unknown) => this.#report(error)),
    );
  }

  /** Resolves when everything so far is in the file; rejects when it cannot be written. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const written = this.#writing.then(() => this.#writeBatch());
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush().catch((error: unknown) => this.#report(error));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.takeAll();
    const lines = [...this.#lossOf(batch), ...batch.lines];
    if (lines.length === 0) return;
    let written = 0;
    try {
      written = await this.#file.append(lines);
      if (written < lines.length) throw new Error(`only ${written} of ${lines.length} events could be written`);
    } catch (error) {
      this.#waiting.putBack(unwritten(batch, written));
      throw error;
    }
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // Whoever hears of failures must not cause one.
    }
  }

  #lossOf({ dropped }: WaitingLines): readonly string[] {
    if (dropped === 0) return [];
    return [`${JSON.stringify({ type: 'events-dropped', at: this.#clock.now(), count: dropped })}\n`];
  }
}

/** What is left of a batch of which some lines were written; the one that tells of a loss comes first. */
function unwritten({ lines, dropped }: WaitingLines, written: number): WaitingLines {
  if (dropped === 0) return { lines: lines.slice(written), dropped };
  return written === 0 ? { lines, dropped } : { lines: lines.slice(written - 1), dropped: 0 };
}
