import type { Clock, Timer } from '../clock.ts';

/** Something that must end at a time of the monotonic clock; the time may move on. */
export interface Dated {
  readonly endsAt: number;
  expire(): void;
  /** Ends it before its time, because what it is part of ends. */
  close(): void;
}

/** Many deadlines on one timer: a call that is answered in time costs no timer of its own. */
export class DeadlineSet {
  readonly #clock: Clock;
  readonly #waiting = new Set<Dated>();
  #timer: Timer | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(item: Dated): void {
    this.#waiting.add(item);
    if (item.endsAt < this.#dueAt) this.#arm(item.endsAt);
  }

  delete(item: Dated): void {
    this.#waiting.delete(item);
    if (this.#waiting.size === 0) this.#disarm();
  }

  /** Ends everything that waits. */
  closeAll(): void {
    for (const item of [...this.#waiting]) item.close();
  }

  #arm(dueAt: number): void {
    this.#timer?.cancel();
    this.#dueAt = dueAt;
    // Whole milliseconds: timers of one length are cheap, and one that fires early only looks again.
    const delayMs = Math.max(0, Math.ceil(dueAt - this.#clock.monotonic()));
    this.#timer = this.#clock.after(delayMs, () => this.#sweep());
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #sweep(): void {
    this.#disarm();
    const now = this.#clock.monotonic();
    for (const item of [...this.#waiting]) {
      if (item.endsAt <= now) item.expire();
    }
    let next = Number.POSITIVE_INFINITY;
    for (const { endsAt } of this.#waiting) next = Math.min(next, endsAt);
    if (next < this.#dueAt) this.#arm(next);
  }
}
