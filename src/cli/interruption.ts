import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Why a command is to end before its work is done. */
export type StopReason = StopSignal | 'output-closed' | 'output-failed';

export interface InterruptionOptions {
  readonly clock: Clock;
  /** Ends the process at once; the person has asked twice. */
  readonly force: (status: number) => void;
}

const STAY_ALIVE_MS = 3_600_000;

// npm passes on a Ctrl-C that the terminal has already sent to everyone: that is one request, not two.
const SAME_REQUEST_MS = 400;

/** The wish to stop, from a person, from the system, or because nobody reads what is written. */
export class Interruption {
  readonly #options: InterruptionOptions;
  readonly #controller = new AbortController();
  #reason: StopReason | undefined;
  #firstAt = 0;

  constructor(options: InterruptionOptions) {
    this.#options = options;
    // Every server that is being connected listens to it.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Aborted on the first wish to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** What to exit with, by the shells' convention for signals. */
  get status(): number | undefined {
    return this.#reason && statusOf(this.#reason);
  }

  request(reason: StopReason): void {
    const now = this.#options.clock.monotonic();
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#firstAt = now;
      this.#controller.abort(new DOMException(`stopped (${reason})`, 'AbortError'));
      return;
    }
    if (!isSignal(reason) || now - this.#firstAt < SAME_REQUEST_MS) return;
    this.#options.force(statusOf(reason));
  }

  /** Resolves on the first wish to stop. */
  async requested(): Promise<void> {
    // A command that waits for a person must not end because nothing else is going on.
    while (!this.signal.aborted) await sleep(this.#options.clock, STAY_ALIVE_MS, this.signal).catch(() => undefined);
  }
}

function statusOf(reason: StopReason): number {
  if (isSignal(reason)) return 128 + constants.signals[reason];
  return reason === 'output-closed' ? 0 : 1;
}

function isSignal(reason: StopReason): reason is StopSignal {
  return reason.startsWith('SIG');
}
