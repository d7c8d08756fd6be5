import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * Hands messages on in order, and lets each notification be dealt with before the next message comes: the SDK handles
 * notifications a moment later than answers, and would drop progress that arrives in one piece with its result.
 */
export class Inbox {
  readonly #receive: (message: JSONRPCMessage) => 'done' | 'passed-on' | void;
  readonly #waiting: JSONRPCMessage[] = [];
  #isPausing = false;

  constructor(receive: (message: JSONRPCMessage) => 'done' | 'passed-on' | void) {
    this.#receive = receive;
  }

  deliver(message: JSONRPCMessage): void {
    if (this.#isPausing) this.#waiting.push(message);
    else this.#handOn(message);
  }

  /** Hands on at once whatever waits: nothing more will come. */
  flush(): void {
    for (const message of this.#waiting.splice(0)) this.#receive(message);
  }

  #handOn(message: JSONRPCMessage): void {
    const isDone = this.#receive(message) === 'done';
    if (isDone || 'id' in message) return;
    this.#isPausing = true;
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    this.#isPausing = false;
    while (!this.#isPausing) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#handOn(next);
    }
  }
}
