import { systemClock } from '../clock.ts';
import type { Clock, Timer } from '../clock.ts';

export interface AbandonOptions<Result> {
  readonly clock: Clock;
  /** After this long the work should have ended by itself. */
  readonly limitMs: number;
  /** After the limit, or an abort, the work gets this long to put its things in order; processes end in real time. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  /** What to reject with when the limit is reached. */
  readonly tooLate: () => Error;
  /** Takes what comes of the work after it was given up. */
  readonly discard: (late: Result) => void;
}

/** Waits for work that should keep its own limits; work that keeps none is given up, so that nobody waits for ever. */
export function orAbandon<Result>(work: Promise<Result>, options: AbandonOptions<Result>): Promise<Result> {
  const { clock, limitMs, graceMs, signal, tooLate, discard } = options;
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    const giveUp = (error: unknown): void => {
      isGivenUp = true;
      finish();
      reject(error);
    };
    let grace: Timer | undefined;
    const giveGrace = (error: () => unknown): void => {
      grace ??= systemClock.after(graceMs, () => giveUp(error()));
    };
    const limit = clock.after(limitMs, () => giveGrace(tooLate));
    const onAbort = (): void => giveGrace(() => signal.reason);
    const finish = (): void => {
      limit.cancel();
      grace?.cancel();
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(
      (result) => {
        finish();
        if (isGivenUp) discard(result);
        else resolve(result);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}
