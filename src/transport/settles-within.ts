import type { Clock } from '../clock.ts';

export interface WaitLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** Ends the wait early. */
  readonly signal?: AbortSignal;
}

/** Waits for a promise, but not for ever; false when the time was up, or the wait was ended, before it settled. */
export async function settlesWithin(promise: Promise<unknown>, limit: WaitLimit): Promise<boolean> {
  const { clock, ms, signal } = limit;
  return new Promise((resolve) => {
    const finish = (hasSettled: boolean): void => {
      timer.cancel();
      signal?.removeEventListener('abort', giveUp);
      resolve(hasSettled);
    };
    const giveUp = (): void => finish(false);
    const timer = clock.after(ms, giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    promise.then(
      () => finish(true),
      () => finish(true),
    );
  });
}
