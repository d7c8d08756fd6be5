import { describeTransport } from '../config/masked-config.ts';
import type { McpServer } from '../config/server.ts';
import { McpConnectionError, messageOf } from '../errors.ts';
import type { Hub, WaitOptions } from '../hub/hub.ts';

export interface ServerGroupOptions {
  /** Where these servers, and no others, are connected. */
  readonly hub: Hub;
  readonly servers: readonly McpServer[];
  /** What becomes of the others when a server does not connect. */
  readonly onFailure: 'throw' | 'skip';
}

/** Servers that are connected and disconnected together; holds none before it is told to connect. */
export class ServerGroup {
  readonly #options: ServerGroupOptions;
  readonly #wanted: readonly McpServer[];
  #skipped: ReadonlyMap<string, unknown> = new Map();
  #isOpen = false;
  #connecting: Promise<void> | undefined;
  #failure: unknown;
  /** Counts the disconnects, so that an attempt knows when it was overtaken by one. */
  #ended = 0;

  constructor(options: ServerGroupOptions) {
    this.#options = options;
    // One that is declared as switched off is not waited for.
    this.#wanted = options.servers.filter(({ enabled }) => enabled);
  }

  /** The servers that were connected, in the order of declaration; throws before that. */
  requireOpen(): readonly McpServer[] {
    if (!this.#isOpen) throw this.#notConnected(this.#failure);
    return this.#wanted.filter(({ name }) => !this.#skipped.has(name));
  }

  /** Whether they were connected, and not disconnected since. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isConnected(): boolean {
    if (!this.#isOpen) return false;
    const phases = new Map(this.#options.hub.status().map(({ name, phase }) => [name, phase]));
    return this.#wanted.every(({ name }) => phases.get(name) === 'connected');
  }

  /** Why servers were left out, by their names. */
  get skipped(): ReadonlyMap<string, unknown> {
    return this.#skipped;
  }

  /** Does nothing for what is connected; an attempt under way is joined, and given up with the signal it began with. */
  connect(options: WaitOptions = {}): Promise<void> {
    if (this.#connecting) return this.#connecting;
    if (this.isConnected) return Promise.resolve();
    const connecting = this.#connect(options).finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    this.#connecting = connecting;
    return connecting;
  }

  async disconnect(): Promise<void> {
    this.#ended += 1;
    this.#connecting = undefined;
    this.#failure = undefined;
    await this.#letGo();
  }

  async #connect(options: WaitOptions): Promise<void> {
    const { hub, onFailure } = this.#options;
    const { signal } = options;
    const ended = this.#ended;
    const skipped = new Map<string, unknown>();
    const connectOne = async (server: McpServer): Promise<void> => {
      try {
        await hub.connect(server.name, server, options);
      } catch (error) {
        if (onFailure === 'throw' || signal?.aborted || ended !== this.#ended) throw error;
        skipped.set(server.name, error);
        await hub.disconnect(server.name);
      }
    };
    try {
      await Promise.all(this.#wanted.map(connectOne));
      if (ended !== this.#ended) throw this.#notConnected(undefined);
    } catch (error) {
      if (ended !== this.#ended) throw error;
      this.#failure = error;
      await this.#letGo();
      throw error;
    }
    this.#skipped = skipped;
    this.#isOpen = true;
  }

  async #letGo(): Promise<void> {
    const { hub } = this.#options;
    this.#isOpen = false;
    this.#skipped = new Map();
    await Promise.all(hub.servers().map(({ name }) => hub.disconnect(name)));
  }

  #notConnected(cause: unknown): McpConnectionError {
    const { hub } = this.#options;
    const [first] = this.#wanted;
    const names = this.#wanted.map(({ name }) => name).join(', ') || 'no server';
    const why = cause === undefined ? '' : ` (the last attempt failed: ${messageOf(cause)})`;
    return new McpConnectionError({
      code: 'NOT_CONNECTED',
      server: first?.name ?? '',
      transport: first ? hub.scrubber.scrub(describeTransport(first.transport)) : '',
      message: `${names}: not connected${why}; call connect() first`,
      ...(cause !== undefined && { cause }),
    });
  }
}
