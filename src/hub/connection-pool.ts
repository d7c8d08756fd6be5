import type { Clock } from '../clock.ts';
import { definitionHash } from '../config/definition-hash.ts';
import type { InProcessServer } from '../config/in-process-server.ts';
import { describeTransport } from '../config/masked-config.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import type { SecretSource } from '../config/secret-sources.ts';
import type { McpServer } from '../config/server.ts';
import { Connection } from '../connection/connection.ts';
import type { EraMemory, EraVerdict } from '../connection/era-memory.ts';
import { ServerRequests } from '../connection/server-requests.ts';
import type { ServerRequestHandlers } from '../connection/server-requests.ts';
import { McpConnectionError } from '../errors.ts';
import { scrubbedLogger } from '../logger.ts';
import type { DeniedEgress } from '../isolation/confinement.ts';
import type { Dial } from '../isolation/dial.ts';
import type { Logger } from '../logger.ts';
import { Scrubber } from '../redaction.ts';
import { Authorizer } from '../transport/authorization.ts';
import type { AuthorizationOptions } from '../transport/authorization.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { openTransport } from '../transport/open-transport.ts';
import { ProcessHost } from '../transport/process-host.ts';
import { NO_CATALOG_CACHE } from './catalog-cache.ts';
import type { CatalogCache, CatalogMemory } from './catalog-cache.ts';
import type { EraStore } from './era-store.ts';
import { Gate } from './gate.ts';
import type { HubLimits } from './hub-limits.ts';

export interface PoolOptions {
  readonly limits: HubLimits;
  readonly hasDirectCalls: boolean;
  readonly secrets: readonly SecretSource[];
  readonly inProcess: ReadonlyMap<string, InProcessServer | (() => InProcessServer)>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  readonly version: string;
  readonly pidNamespace: 'auto' | 'off';
  /** How the targets that a network policy allows are reached; tests go elsewhere. */
  readonly dial?: Dial;
  /** Who answers what servers ask, when no call does. */
  readonly handlers: ServerRequestHandlers;
  readonly eras: EraStore;
  readonly catalogs: CatalogCache;
  readonly authorization: AuthorizationOptions;
}

interface Opening {
  readonly server: McpServer;
  readonly principal: string;
  readonly logger: Logger;
  readonly onDenied: (denied: DeniedEgress) => void;
}

interface Entry {
  readonly connection: Connection;
  holders: number;
  /** How many of those who let go wait for its end. */
  endings: number;
  readonly watchers: Set<OnReplaced>;
}

/** Hears of the connection that takes the place of one which has ended. */
type OnReplaced = (connection: Connection) => void;

/** Every connection of a hub, shared by all who need the same server for the same principal. */
export class ConnectionPool {
  readonly scrubber: Scrubber = new Scrubber();
  readonly logger: Logger;
  readonly #options: PoolOptions;
  readonly #processes: ProcessHost;
  readonly #authorizer: Authorizer;
  readonly #gate: Gate;
  readonly #entries = new Map<string, Entry>();
  readonly #objectIds = new WeakMap<object, number>();
  #nextObjectId = 1;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.logger = scrubbedLogger(options.logger, this.scrubber);
    this.#processes = new ProcessHost({
      clock: options.clock,
      logger: this.logger,
      pidNamespace: options.pidNamespace,
      dial: options.dial,
    });
    this.#authorizer = new Authorizer(options.authorization);
    this.#gate = new Gate(options.limits.connectsAtOnce, options.clock);
  }

  /** The connection for a definition and a principal; each acquire needs one release. */
  acquire(server: McpServer, principal: string): Connection {
    const entry = this.#entryFor(server, principal);
    entry.holders += 1;
    return entry.connection;
  }

  /** The connection without a hold on it: it ends with its last holder, and one that has not been started takes its place. */
  watch(
    server: McpServer,
    principal: string,
    onReplaced: OnReplaced,
  ): { readonly connection: Connection; readonly stop: () => void } {
    const entry = this.#entryFor(server, principal);
    entry.watchers.add(onReplaced);
    return { connection: entry.connection, stop: () => this.#unwatch(this.#keyOf(server, principal), onReplaced) };
  }

  /** Gives a connection back; the last one to do so ends it. */
  async release(server: McpServer, principal: string): Promise<void> {
    const key = this.#keyOf(server, principal);
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.holders -= 1;
    if (entry.holders > 0) return;
    entry.endings += 1;
    await entry.connection.disconnect().finally(() => (entry.endings -= 1));
    // Somebody may have taken it again while it was being closed.
    if (entry.holders > 0 || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    if (entry.watchers.size === 0) return;
    const next = this.#entryFor(server, principal);
    for (const watcher of entry.watchers) next.watchers.add(watcher);
    // Not of the old ones: being told may make another stop.
    for (const watcher of next.watchers) watcher(next.connection);
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.allSettled(entries.map(({ connection }) => connection.disconnect()));
    await Promise.all([this.#processes.close(), this.#options.catalogs.flush()]);
  }

  #entryFor(server: McpServer, principal: string): Entry {
    const key = this.#keyOf(server, principal);
    const known = this.#entries.get(key);
    if (known) return known;
    const entry = {
      connection: this.#create(server, principal),
      holders: 0,
      endings: 0,
      watchers: new Set<OnReplaced>(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #unwatch(key: string, watcher: OnReplaced): void {
    const entry = this.#entries.get(key);
    entry?.watchers.delete(watcher);
    // One that is still ending is found by whoever needs it next, so that no two processes of it run at once.
    if (entry?.holders === 0 && entry.endings === 0 && entry.watchers.size === 0) this.#entries.delete(key);
  }

  #create(server: McpServer, principal: string): Connection {
    const { limits, clock, random, version } = this.#options;
    const logger: Logger = {
      log: (level, message, fields) => this.logger.log(level, message, { server: server.name, ...fields }),
    };
    const { kind } = server.transport;
    const onDenied = (denied: DeniedEgress): void => {
      logger.log('warn', 'a server tried to reach what its network policy does not allow', { ...denied });
      connection.events.emit('egress-denied', denied);
    };
    const connection = new Connection({
      openTransport: (signal, verdict) =>
        this.#open({ server: withVerdict(server, verdict), principal, logger, onDenied }, signal),
      isHttp: kind === 'http',
      // A server object speaks the older protocol, whatever it could speak over a socket.
      eraMemory: kind === 'sdk' ? ALWAYS_LEGACY : this.#options.eras.memoryOf(definitionHash(server)),
      serverRequests: new ServerRequests({ server: server.name, allows: server, fallback: this.#options.handlers }),
      takeTurn: (attempt, signal) => this.#gate.run(attempt, signal),
      connectTimeoutMs: server.connectTimeoutMs,
      eraProbeMs: limits.eraProbeMs,
      // End of input, SIGTERM and SIGKILL each take their time.
      abandonMs: 3 * limits.transport.closeGraceMs,
      maxPendingCalls: limits.pendingCalls,
      catalogMemory: this.#catalogMemoryOf(server, principal),
      catalogLimits: limits.catalog,
      version,
      clock,
      random,
      logger,
      scrubber: this.scrubber,
    });
    return connection;
  }

  /** A server object may be another one at the next start, whatever it is called. */
  #catalogMemoryOf(server: McpServer, principal: string): CatalogMemory {
    const cache = server.transport.kind === 'sdk' ? NO_CATALOG_CACHE : this.#options.catalogs;
    return cache.memoryOf({ definition: definitionHash(server), principal, server: server.name });
  }

  async #open({ server, principal, logger, onDenied }: Opening, signal: AbortSignal): Promise<LiveTransport> {
    const { clock, limits, secrets, inProcess } = this.#options;
    requireIsolable(server);
    const isolation = server.isolation === 'off' ? undefined : server.isolation;
    const resolved = await resolveSecrets(withIsolationEnv(server), secrets, signal);
    for (const secret of resolved.secrets) {
      if (!this.scrubber.add(secret))
        logger.log('warn', 'a secret is too short to be hidden in logs', { server: server.name });
    }
    const hide = (secret: string): void => void this.scrubber.add(secret);
    const context = {
      server: server.name,
      principal,
      transport: resolved.transport,
      isolation,
      onDenied,
      clock,
      logger,
      hide,
      limits: limits.transport,
      hasDirectCalls: this.#options.hasDirectCalls,
    };
    return openTransport(context, { processes: this.#processes, authorizer: this.#authorizer, inProcess });
  }

  /** Definition and principal; a server object is known by its identity, not by what it looks like. */
  #keyOf(server: McpServer, principal: string): string {
    const { transport } = server;
    const instance =
      transport.kind === 'sdk' ? (transport.instance ?? this.#options.inProcess.get(transport.name)) : undefined;
    return `${definitionHash(server)}:${instance ? this.#idOf(instance) : ''}:${principal}`;
  }

  #idOf(instance: object): number {
    const id = this.#objectIds.get(instance) ?? this.#nextObjectId++;
    this.#objectIds.set(instance, id);
    return id;
  }
}

const ALWAYS_LEGACY: EraMemory = { recall: () => 'legacy', note: () => undefined, forget: () => undefined };

/** A Streamable HTTP endpoint that turned out to be one of the older kind is spoken to as such. */
function withVerdict(server: McpServer, verdict: EraVerdict | undefined): McpServer {
  const { transport } = server;
  return verdict === 'legacy-sse' && transport.kind === 'http'
    ? server.with({ transport: { ...transport, kind: 'sse' } })
    : server;
}

/** The isolation's variables stand below the server's own, and are resolved and hidden like them. */
function withIsolationEnv(server: McpServer): McpServer {
  const { transport, isolation } = server;
  if (transport.kind !== 'stdio' || typeof isolation !== 'object') return server;
  return server.with({ transport: { ...transport, env: { ...isolation.env, ...transport.env } } });
}

/** Only a process of our own can be held; whatever else must be isolated must not be reached. */
function requireIsolable(server: McpServer): void {
  const { transport, isolation, name } = server;
  if (transport.kind === 'stdio' || typeof isolation !== 'object' || isolation.mode !== 'required') return;
  throw new McpConnectionError({
    code: 'ISOLATION_UNAVAILABLE',
    server: name,
    transport: describeTransport(transport),
    message: `${name}: isolation is required, but only a server that we start ourselves (stdio) can be isolated; set isolation: off, or start it over stdio`,
  });
}
