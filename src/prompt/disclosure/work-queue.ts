/** Runs one piece of work after the other, whatever becomes of those before. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether something is running or waits to. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const turn = this.#last.then(work).finally(() => (this.#waiting -= 1));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
