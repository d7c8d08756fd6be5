import { sleep } from '../clock.ts';
import { isSameServer } from '../config/same-server.ts';
import type { McpServer } from '../config/server.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { Emitter } from '../emitter.ts';
import { DEFAULT_NAMING, toolName } from '../tools/tool-name.ts';
import type { NamingStyle } from '../tools/tool-name.ts';
import type { Leaving } from './hub-errors.ts';
import type { HubEvents } from './hub-events.ts';
import { EMPTY_REGISTRY, buildRegistry, registryChanges } from './registry.ts';
import type { Registry } from './registry.ts';
import { diffServers } from './server-diff.ts';
import { RemovedServers } from './removed-servers.ts';
import type { RemovedServer } from './removed-servers.ts';
import { ServerSlot } from './server-slot.ts';
import { toServerStatus, toStatusWord } from './server-status.ts';
import type { ServerStatus } from './server-status.ts';
import type { ViewContext, ViewOptions } from './view-options.ts';

const DRAIN_STEP_MS = 20;

/** The names of a view in the order of their declaration, the registry of their tools, and the events of both. */
export class SlotTable {
  readonly events: Emitter<HubEvents>;
  readonly #options: ViewOptions;
  readonly #context: ViewContext;
  readonly #naming: NamingStyle;
  readonly #slots = new Map<string, ServerSlot>();
  readonly #removed = new RemovedServers();
  #registry: Registry = EMPTY_REGISTRY;

  constructor(options: ViewOptions, context: ViewContext) {
    this.#options = options;
    this.#context = context;
    this.#naming = options.naming ?? DEFAULT_NAMING;
    this.events = new Emitter((error) => context.pool.logger.log('error', 'an event listener threw', { error }));
  }

  get registry(): Registry {
    return this.#registry;
  }

  get(name: string): ServerSlot | undefined {
    return this.#slots.get(name);
  }

  names(): readonly string[] {
    return [...this.#slots.keys()];
  }

  all(): readonly ServerSlot[] {
    return [...this.#slots.values()];
  }

  /** The server that a name stood for before it was removed. */
  removed(name: string): RemovedServer | undefined {
    return this.#removed.get(name);
  }

  /** The servers of which no tool can be seen now, those that were removed included. */
  unlisted(): readonly string[] {
    const silent = this.all().filter(({ catalog }) => catalog.tools.length === 0);
    return [...silent.map(({ server }) => server.name), ...this.#removed.names()];
  }

  statusOf(slot: ServerSlot): ServerStatus {
    const { server, phase, since, connection, warnings } = slot;
    const quarantined = this.#registry.quarantined.filter((tool) => tool.server === server.name);
    const status = toServerStatus({ server, phase, since, connection, quarantined, warnings });
    return this.#context.pool.scrubber.scrubValue(status);
  }

  toolName(server: string, tool: string): string {
    const known = this.#slots.get(server) ?? this.#removed.get(server);
    return toolName(this.#naming, known?.server ?? { name: server }, tool);
  }

  /** Declares a server, or gives its name to another definition. */
  declare(declared: McpServer): Promise<void> {
    const server = this.#isolated(declared);
    const before = this.#slots.get(server.name);
    if (before && isSameServer(before.server, server)) return Promise.resolve();
    const replaced = this.#put(server, before);
    this.#rebuild();
    return replaced;
  }

  /** Declares servers whose names are not taken: of two with one name the first is meant. */
  declareFirst(servers: Iterable<McpServer>): void {
    for (const server of this.#allIsolated(servers)) {
      const before = this.#slots.get(server.name);
      if (!before) void this.#put(server, undefined);
      else if (!isSameServer(before.server, server)) {
        this.#context.pool.logger.log('warn', 'two servers have one name; the first is used', { server: server.name });
      }
    }
    this.#rebuild();
  }

  replaceAll(servers: Iterable<McpServer>): {
    added: readonly string[];
    removed: readonly string[];
    changed: readonly string[];
    gone: Promise<void>;
  } {
    const wanted = new Map(this.#allIsolated(servers).map((server) => [server.name, server]));
    const current = new Map([...this.#slots].map(([name, slot]) => [name, slot.server]));
    const { added, removed, changed } = diffServers(current, wanted, isSameServer);
    const leaving = [...removed.map((name) => this.#remove(name, 'removed'))];
    for (const name of [...added, ...changed]) {
      const server = wanted.get(name);
      if (server) leaving.push(this.#put(server, this.#slots.get(name)));
    }
    this.#reorder(wanted.keys());
    this.#rebuild();
    return { added, removed, changed, gone: Promise.all(leaving).then(() => undefined) };
  }

  toggle(slot: ServerSlot, enabled: boolean): void {
    if (slot.isEnabled === enabled) return;
    slot.isEnabled = enabled;
    this.#announce(slot.server.name, 'phase');
    this.#rebuild();
  }

  async detach(slot: ServerSlot): Promise<void> {
    const wasHeld = slot.connection !== undefined;
    const gone = slot.detach();
    if (wasHeld) {
      const server = slot.server.name;
      this.events.emit('server-disconnected', { type: 'server-disconnected', at: this.#now(), server });
      this.#announce(server, 'phase');
      this.#rebuild();
    }
    await gone;
  }

  async removeAll(): Promise<void> {
    const leaving = this.names().map((name) => this.#remove(name, 'closed'));
    this.#rebuild();
    await Promise.all(leaving);
    this.events.removeAll();
  }

  /** Waits until no call is in flight, for as long as is granted. */
  async drain(limitMs: number): Promise<void> {
    const { clock } = this.#context;
    const until = clock.monotonic() + limitMs;
    const isBusy = (): boolean => this.all().some((slot) => (slot.connection?.pendingCalls ?? 0) > 0);
    while (isBusy() && clock.monotonic() < until) await sleep(clock, DRAIN_STEP_MS);
  }

  #allIsolated(servers: Iterable<McpServer>): readonly McpServer[] {
    return [...servers].map((server) => this.#isolated(server));
  }

  /** A server that we start, and that says nothing about its isolation, gets that of the view. */
  #isolated(server: McpServer): McpServer {
    const { isolation } = this.#options;
    const isOpen = server.transport.kind === 'stdio' && server.isolation === undefined;
    return isolation && isOpen ? server.with({ isolation }) : server;
  }

  /** The registry is built anew by whoever puts, once for all: with a thousand servers it takes a while. */
  #put(server: McpServer, before: ServerSlot | undefined): Promise<void> {
    const replaced = this.#replace(server, before);
    this.#announce(server.name, before ? 'phase' : 'added');
    return replaced;
  }

  #replace(server: McpServer, before: ServerSlot | undefined): Promise<void> {
    const { pool, clock } = this.#context;
    const keepsSwitch = before !== undefined && before.server.enabled === server.enabled;
    let isGone: () => void = () => undefined;
    const predecessorGone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    const slot = new ServerSlot({
      server,
      pool,
      clock,
      principal: this.#options.principal ?? 'local',
      isWatching: this.#options.watches === true,
      isEnabled: keepsSwitch ? before.isEnabled : server.enabled,
      predecessorGone,
      onState: (change) => this.#onState(server.name, change),
      onCatalog: () => this.#rebuild(),
      onResourceChanged: (told) => {
        const uri = pool.scrubber.scrub(told);
        this.events.emit('resource-changed', { type: 'resource-changed', at: this.#now(), server: server.name, uri });
      },
      onDenied: (told) => {
        const denied = pool.scrubber.scrubValue(told);
        this.events.emit('sandbox-denied', { type: 'sandbox-denied', at: this.#now(), server: server.name, ...denied });
      },
    });
    this.#slots.set(server.name, slot);
    this.#removed.forget(server.name);
    if (before) before.leaving = 'removed';
    // The new hold comes first, so that a connection which both share is not closed in between.
    const gone = (before?.detach() ?? Promise.resolve()).finally(isGone);
    return gone;
  }

  /** The order of declaration decides who keeps a name that two tools would get. */
  #reorder(names: Iterable<string>): void {
    for (const name of names) {
      const slot = this.#slots.get(name);
      if (!slot) continue;
      this.#slots.delete(name);
      this.#slots.set(name, slot);
    }
  }

  #remove(name: string, because: Leaving): Promise<void> {
    const slot = this.#slots.get(name);
    if (!slot) return Promise.resolve();
    this.#slots.delete(name);
    this.#removed.add({ server: slot.server, since: this.#now() });
    slot.leaving = because;
    const gone = slot.detach();
    const change = { type: 'server-changed', at: this.#now(), server: name, change: 'removed' } as const;
    this.events.emit('server-changed', { ...change, phase: 'disconnected', status: 'pending' });
    return gone;
  }

  #onState(name: string, { previous, current }: { previous: ConnectionState; current: ConnectionState }): void {
    const at = this.#now();
    if (current.phase === 'connected') {
      for (const warning of this.#slots.get(name)?.takeNewWarnings() ?? [])
        this.#context.pool.logger.log('warn', warning, { server: name });
      const tools = this.#registry.byServer.get(name)?.size ?? 0;
      this.events.emit('server-connected', { type: 'server-connected', at, server: name, tools });
    }
    if (previous.phase === 'connected') {
      const error = 'failure' in current ? { error: current.failure.message } : {};
      this.events.emit('server-disconnected', { type: 'server-disconnected', at, server: name, ...error });
    }
    if (current.phase === 'failed' || current.phase === 'needs-auth') {
      const { code, message } = current.failure;
      this.events.emit('server-failed', { type: 'server-failed', at, server: name, code, error: message });
    }
    this.#announce(name, 'phase');
  }

  #announce(name: string, change: 'added' | 'phase'): void {
    const phase = this.#slots.get(name)?.phase ?? 'disconnected';
    this.events.emit('server-changed', {
      type: 'server-changed',
      at: this.#now(),
      server: name,
      change,
      phase,
      status: toStatusWord(phase),
    });
  }

  #rebuild(): void {
    const before = this.#registry;
    const sources = this.all().map(({ server, catalog }) => ({ server, catalog }));
    this.#registry = buildRegistry(sources, this.#naming);
    for (const change of registryChanges(before, this.#registry)) {
      this.events.emit('tools-changed', { type: 'tools-changed', at: this.#now(), ...change });
    }
    const known = new Set(before.quarantined.map((tool) => JSON.stringify(tool)));
    for (const tool of this.#registry.quarantined) {
      // What is only remembered was told when it was seen.
      const isRemembered = this.#slots.get(tool.server)?.connection?.isCatalogRemembered === true;
      if (isRemembered || known.has(JSON.stringify(tool))) continue;
      this.#context.pool.logger.log('warn', 'tool quarantined', { ...tool });
      this.events.emit('tool-quarantined', { type: 'tool-quarantined', at: this.#now(), ...tool });
    }
  }

  #now(): number {
    return this.#context.clock.now();
  }
}
