import type { Clock } from '../clock.ts';
import type { McpServer } from '../config/server.ts';
import type { Catalog } from '../connection/catalog.ts';
import { EMPTY_CATALOG } from '../connection/catalog.ts';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { NotConnectedError } from '../connection/not-connected-error.ts';
import { unknownInFilter } from '../tools/tool-filter.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Leaving } from './hub-errors.ts';
import type { ServerPhase } from './server-status.ts';

export interface SlotOptions {
  readonly server: McpServer;
  readonly principal: string;
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  readonly isEnabled: boolean;
  /** The server that had this name before is gone when this resolves. */
  readonly predecessorGone: Promise<void>;
  readonly onState: (change: { previous: ConnectionState; current: ConnectionState }) => void;
  readonly onCatalog: () => void;
  readonly onResourceChanged: (uri: string) => void;
}

/** One name in a view: the server declared under it, its switch, and its hold on a pooled connection. */
export class ServerSlot {
  readonly server: McpServer;
  /** Set when the name was taken out of the view, or given to another definition. */
  leaving: Leaving | undefined;
  since: number;
  readonly #options: SlotOptions;
  readonly #told = new Set<string>();
  #isEnabled: boolean;
  #connection: Connection | undefined;
  #stopListening: (() => void)[] = [];
  #releasing: Promise<void> = Promise.resolve();

  constructor(options: SlotOptions) {
    this.#options = options;
    this.server = options.server;
    this.#isEnabled = options.isEnabled;
    this.since = options.clock.now();
    this.attach();
  }

  get isEnabled(): boolean {
    return this.#isEnabled;
  }

  set isEnabled(enabled: boolean) {
    this.#isEnabled = enabled;
    this.since = this.#options.clock.now();
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  get phase(): ServerPhase {
    if (!this.#isEnabled) return 'disabled';
    return this.#connection?.state.phase ?? 'disconnected';
  }

  /** What agents may see of the server now. */
  get catalog(): Catalog {
    return this.#isEnabled && this.#connection ? this.#connection.catalog : EMPTY_CATALOG;
  }

  /** What is odd about the server's lists, or about the filter that was put on them. */
  get warnings(): readonly string[] {
    return [...this.catalog.warnings, ...this.#filterWarnings()];
  }

  /** The warnings about the filter that nobody was told of yet. */
  takeNewWarnings(): readonly string[] {
    const fresh = this.#filterWarnings().filter((warning) => !this.#told.has(warning));
    for (const warning of fresh) this.#told.add(warning);
    return fresh;
  }

  /** Takes hold of the connection, without starting it. */
  attach(): Connection {
    if (this.#connection) return this.#connection;
    const { pool, principal, onState, onCatalog, onResourceChanged, clock } = this.#options;
    const connection = pool.acquire(this.server, principal);
    this.#connection = connection;
    this.#stopListening = [
      connection.events.on('state', (change) => {
        this.since = clock.now();
        onState(change);
      }),
      connection.events.on('catalog', onCatalog),
      connection.events.on('resource-changed', ({ uri }) => onResourceChanged(uri)),
    ];
    return connection;
  }

  /** Lets go of the connection; it ends unless somebody else holds it. */
  detach(): Promise<void> {
    if (!this.#connection) return this.#releasing;
    const { pool, principal, clock } = this.#options;
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#connection = undefined;
    this.since = clock.now();
    this.#releasing = pool.release(this.server, principal);
    return this.#releasing;
  }

  /** Starts the connection if it has not been started. */
  async open(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<Connection | undefined> {
    const connection = trigger === 'connect' ? this.attach() : this.#connection;
    if (connection?.state.phase === 'connected') return connection;
    await unlessAborted(this.#options.predecessorGone, signal);
    // Whoever let go of the connection meanwhile does not want it started.
    if (this.#connection !== connection) throw new NotConnectedError({ phase: 'disconnected' });
    await connection?.connect(trigger, signal);
    return connection;
  }

  /** Only a list that was read can tell that a name is not in it. */
  #filterWarnings(): readonly string[] {
    if (this.#connection?.state.phase !== 'connected') return [];
    const names = this.#connection.catalog.tools.map((tool) => tool.tool);
    return unknownInFilter(this.server, names).map(
      (name) => `the tool filter names ${name}, which the server does not have`,
    );
  }
}

/** Waits for something that cannot be hurried, for as long as the caller has patience. */
function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return wait;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
