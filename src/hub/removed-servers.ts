import type { McpServer } from '../config/server.ts';

/** A server that was declared, and since when it is not any more. */
export interface RemovedServer {
  readonly server: McpServer;
  readonly since: number;
}

// Whoever asks for one that was removed before a thousand others is told that there is none.
const MAX_KNOWN = 1000;

/** The servers that a view has had: their tools are not unknown, but gone. */
export class RemovedServers {
  readonly #byName = new Map<string, RemovedServer>();

  add(removed: RemovedServer): void {
    this.#byName.delete(removed.server.name);
    this.#byName.set(removed.server.name, removed);
    const [oldest] = this.#byName.keys();
    if (this.#byName.size > MAX_KNOWN && oldest !== undefined) this.#byName.delete(oldest);
  }

  /** The name is in use again. */
  forget(name: string): void {
    this.#byName.delete(name);
  }

  get(name: string): RemovedServer | undefined {
    return this.#byName.get(name);
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }
}
