import type { Clock } from '../clock.ts';
import { argumentWarnings } from '../config/argument-secrets.ts';
import type { McpServer } from '../config/server.ts';
import type { Catalog } from '../connection/catalog.ts';
import { EMPTY_CATALOG } from '../connection/catalog.ts';
import type { Connection } from '../connection/connection.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { NotConnectedError } from '../connection/not-connected-error.ts';
import type { DeniedEgress } from '../isolation/confinement.ts';
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
  /** Looks on, without a hold on the connection. */
  readonly isWatching: boolean;
  /** The server that had this name before is gone when this resolves. */
  readonly predecessorGone: Promise<void>;
  readonly onState: (change: { previous: ConnectionState; current: ConnectionState }) => void;
  readonly onCatalog: () => void;
  readonly onResourceChanged: (uri: string) => void;
  readonly onDenied: (denied: DeniedEgress) => void;
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
  #stopWatching: (() => void) | undefined;
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

  /** What is odd about the server's lists, the filter that was put on them, or how the server was started. */
  get warnings(): readonly string[] {
    return [...this.catalog.warnings, ...this.#ownWarnings()];
  }

  /** The warnings about its declaration that nobody was told of yet. */
  takeNewWarnings(): readonly string[] {
    const fresh = this.#ownWarnings().filter((warning) => !this.#told.has(warning));
    for (const warning of fresh) this.#told.add(warning);
    return fresh;
  }

  /** Takes hold of the connection, without starting it. */
  attach(): Connection {
    if (this.#connection) return this.#connection;
    const { pool, principal, isWatching, onCatalog } = this.#options;
    if (!isWatching) return this.#follow(pool.acquire(this.server, principal));
    const watched = pool.watch(this.server, principal, (next) => {
      this.#follow(next);
      onCatalog();
    });
    this.#stopWatching = watched.stop;
    return this.#follow(watched.connection);
  }

  /** Lets go of the connection; it ends unless somebody else holds it. */
  detach(): Promise<void> {
    if (!this.#connection) return this.#releasing;
    const { pool, principal, clock } = this.#options;
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#connection = undefined;
    this.since = clock.now();
    if (this.#stopWatching) this.#stopWatching();
    else this.#releasing = pool.release(this.server, principal);
    return this.#releasing;
  }

  /** Ends the connection, so that it can be started anew; whoever only looks on leaves it alone. */
  async interrupt(): Promise<void> {
    if (!this.#options.isWatching) await this.#connection?.disconnect();
  }

  /** Starts the connection if it has not been started. */
  async open(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<Connection | undefined> {
    // Nobody would end what it started.
    if (this.#options.isWatching) throw new NotConnectedError({ phase: 'disconnected' });
    const connection = trigger === 'connect' ? this.attach() : this.#connection;
    if (connection?.state.phase === 'connected') return connection;
    await unlessAborted(this.#options.predecessorGone, signal);
    // Whoever let go of the connection meanwhile does not want it started.
    if (this.#connection !== connection) throw new NotConnectedError({ phase: 'disconnected' });
    await connection?.connect(trigger, signal);
    return connection;
  }

  #follow(connection: Connection): Connection {
    const { onState, onCatalog, onResourceChanged, onDenied, clock } = this.#options;
    for (const stop of this.#stopListening.splice(0)) stop();
    this.#connection = connection;
    this.#stopListening = [
      connection.events.on('state', (change) => {
        this.since = clock.now();
        onState(change);
      }),
      connection.events.on('catalog', onCatalog),
      connection.events.on('resource-changed', ({ uri }) => onResourceChanged(uri)),
      connection.events.on('egress-denied', onDenied),
    ];
    return connection;
  }

  #ownWarnings(): readonly string[] {
    if (this.#connection?.state.phase !== 'connected') return [];
    return [...this.#launchWarnings(this.#connection), ...this.#filterWarnings(this.#connection)];
  }

  #launchWarnings({ confinement }: Connection): readonly string[] {
    const { transport, isolation } = this.server;
    const isWished = typeof isolation === 'object' && isolation.mode !== 'off';
    if (transport.kind !== 'stdio') return isWished ? [notIsolated('only a server over stdio can be')] : [];
    const { scrubber } = this.#options.pool;
    return [
      ...(confinement?.missing === undefined ? [] : [notIsolated(confinement.missing)]),
      ...argumentWarnings(transport.args, (text) => scrubber.scrub(text)),
    ];
  }

  /** Only a list that was read can tell that a name is not in it. */
  #filterWarnings(connection: Connection): readonly string[] {
    const names = connection.catalog.tools.map((tool) => tool.tool);
    return unknownInFilter(this.server, names).map(
      (name) => `the tool filter names ${name}, which the server does not have`,
    );
  }
}

function notIsolated(why: string): string {
  return `NOT ISOLATED, although it should be: ${why}`;
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
