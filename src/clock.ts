/** The only time in Fairlead: everything that waits or measures takes a Clock. */
export interface Clock {
  /** Milliseconds since the epoch, for timestamps. */
  now(): number;
  /** Milliseconds that never go backwards, for durations. */
  monotonic(): number;
  /** Runs once after a delay, unless cancelled before. */
  after(delayMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

// Node fires a longer timer at once instead of late.
const MAX_DELAY_MS = 2_147_483_647;

/** The real time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const handle = setTimeout(run, Math.min(delayMs, MAX_DELAY_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Never aborts: for waits whose caller gave no signal. */
export const NEVER: AbortSignal = new AbortController().signal;

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
