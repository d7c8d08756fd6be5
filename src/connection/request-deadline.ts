import type { Clock, Timer } from '../clock.ts';

export interface DeadlineOptions {
  readonly clock: Clock;
  /** Without progress the request ends after this long. */
  readonly timeoutMs: number;
  /** With progress it ends after this long all the same. */
  readonly maxTotalMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The clock, the caller, or the end of the conversation. */
export type EndedBy = 'timeout' | 'cancelled' | 'closed';

/** Ends one request: at its timeout, at its hard maximum, or when its caller gives up. */
export class RequestDeadline implements Disposable {
  readonly #options: DeadlineOptions;
  readonly #startedAt: number;
  readonly #controller = new AbortController();
  #timer: Timer | undefined;
  #endsAt: number;
  #endedBy: EndedBy | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#endsAt = this.#startedAt + Math.min(options.timeoutMs, options.maxTotalMs);
    if (options.signal?.aborted) {
      this.#onAbort();
      return;
    }
    this.#arm();
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborts when the request must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the request was ended, if it was. */
  get endedBy(): EndedBy | undefined {
    return this.#endedBy;
  }

  /** How long the request was given: its timeout, or the hard maximum once progress has used it up. */
  get limitMs(): number {
    const { timeoutMs, maxTotalMs } = this.#options;
    return this.#endsAt >= this.#startedAt + maxTotalMs ? maxTotalMs : timeoutMs;
  }

  /** Progress was seen: the timeout begins again, the hard maximum does not. */
  extend(): void {
    const { clock, timeoutMs, maxTotalMs } = this.#options;
    this.#endsAt = Math.min(clock.monotonic() + timeoutMs, this.#startedAt + maxTotalMs);
  }

  /** The conversation ends, and the request with it. */
  close(): void {
    this.#end('closed');
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  // The timer is not moved by progress: when it fires too early it waits for the rest.
  #arm(): void {
    const remaining = this.#endsAt - this.#options.clock.monotonic();
    this.#timer = this.#options.clock.after(Math.max(0, remaining), () => {
      if (this.#options.clock.monotonic() < this.#endsAt) this.#arm();
      else this.#end('timeout');
    });
  }

  readonly #onAbort = (): void => this.#end('cancelled');

  #end(by: EndedBy): void {
    this.#endedBy ??= by;
    this[Symbol.dispose]();
    this.#controller.abort(by);
  }
}
