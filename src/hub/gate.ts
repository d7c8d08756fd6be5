import type { Clock } from '../clock.ts';

const HOLD_MS = 3_000;

/** Lets a limited number of tasks run at once; the rest wait in order, but not for one that takes too long. */
export class Gate {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  async run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(signal);
    // A server that hangs keeps its place no longer than one that starts in good order would.
    const timer = this.#clock.after(HOLD_MS, () => leave());
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      timer.cancel();
      this.#running -= 1;
      this.#waiting.shift()?.();
    };
    try {
      return await task();
    } finally {
      leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#limit) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.#running += 1;
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
