import type { ResourceContents } from '../call/content.ts';
import type { Mutable } from '../call/mutable.ts';
import type { CallToolResult } from '../call/tool-result.ts';
import { describeTransport } from '../config/masked-config.ts';
import type { McpServer } from '../config/server.ts';
import type { Prompt } from '../connection/catalog.ts';
import type { ResourceLists } from '../connection/catalog-keeper.ts';
import { NotConnectedError } from '../connection/not-connected-error.ts';
import type { Connection, SendOptions } from '../connection/connection.ts';
import type { ProtocolRequest } from '../connection/protocol-request.ts';
import { RequestError } from '../connection/request-failure.ts';
import { repeatableByAnnotation } from '../connection/resend-policy.ts';
import type { Repeatable } from '../connection/resend-policy.ts';
import type { McpError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import {
  hubClosed,
  notInTime,
  serverDisabled,
  serverRemoved,
  serverUnknown,
  toConnectError,
  toHubError,
} from './hub-errors.ts';
import type { Reached } from './hub-errors.ts';
import type { HubEvents } from './hub-events.ts';
import type { CallRequest, Hub, PromptRequest, SetServersOptions, SetServersResult, WaitOptions } from './hub.ts';
import type { QuarantinedSpec } from './registry.ts';
import { callToolRequest, getPromptRequest, readResourceRequest } from './protocol-requests.ts';
import type { PromptResult } from './protocol-requests.ts';
import { requireTool } from './require-tool.ts';
import type { ServerSlot } from './server-slot.ts';
import type { ServerStatus } from './server-status.ts';
import { SlotTable } from './slot-table.ts';
import type { ViewContext, ViewOptions } from './view-options.ts';

/** A set of named servers over a pool of connections. */
export class HubView implements Hub {
  readonly #context: ViewContext;
  readonly #slots: SlotTable;
  #isClosed = false;

  constructor(options: ViewOptions, context: ViewContext) {
    this.#context = context;
    this.#slots = new SlotTable(options, context);
    this.#slots.declareFirst(options.servers ?? []);
  }

  get scrubber(): Scrubber {
    return this.#context.pool.scrubber;
  }

  async connect(name: string, server?: McpServer, options: WaitOptions = {}): Promise<ServerStatus> {
    this.requireOpen();
    // The new slot itself waits until the old one's process is gone.
    if (server) void this.#slots.declare(server.name === name ? server : server.with({ name }));
    const slot = this.#slot(name);
    try {
      await slot.open('connect', options.signal);
    } catch (error) {
      if (error instanceof NotConnectedError) throw toConnectError(this.#reached(slot), error.state, error);
      throw toHubError(error, {
        server: this.#reached(slot),
        method: 'connect',
        leaving: slot.leaving,
        ...options,
      });
    }
    return this.serverStatus(name);
  }

  async connectAll(options: WaitOptions = {}): Promise<readonly ServerStatus[]> {
    const wanted = this.#slots.all().filter((slot) => slot.phase !== 'disabled' && slot.phase !== 'disconnected');
    await Promise.allSettled(wanted.map((slot) => this.connect(slot.server.name, undefined, options)));
    return this.status();
  }

  async disconnect(name: string): Promise<void> {
    await this.#slots.detach(this.#slot(name));
  }

  async reconnect(name: string, options: WaitOptions = {}): Promise<ServerStatus> {
    await this.#slot(name).interrupt();
    return this.connect(name, undefined, options);
  }

  toggle(name: string, enabled: boolean): void {
    this.#slots.toggle(this.#slot(name), enabled);
  }

  async setServers(servers: Iterable<McpServer>, options: SetServersOptions = {}): Promise<SetServersResult> {
    this.requireOpen();
    const { added, removed, changed, gone } = this.#slots.replaceAll(servers);
    const errors: Record<string, string> = {};
    const connectOne = async (name: string): Promise<void> => {
      try {
        await this.connect(name, undefined, options);
      } catch (error) {
        errors[name] = error instanceof Error ? error.message : String(error);
      }
    };
    const toConnect =
      options.connect === false ? [] : [...added, ...changed].filter((name) => this.#slot(name).isEnabled);
    await Promise.all([gone, ...toConnect.map(connectOne)]);
    return { added, removed, changed, errors };
  }

  status(): readonly ServerStatus[] {
    return this.#slots.all().map((slot) => this.#slots.statusOf(slot));
  }

  serverStatus(name: string): ServerStatus {
    return this.#slots.statusOf(this.#slot(name));
  }

  server(name: string): McpServer {
    return this.#slot(name).server;
  }

  servers(): readonly McpServer[] {
    return this.#slots.all().map((slot) => slot.server);
  }

  async wake(server: string, options: WaitOptions & { readonly timeoutMs?: number } = {}): Promise<void> {
    const { signal, timeoutMs } = options;
    await this.#use(this.#slot(server), { method: 'tools/list', signal, timeoutMs }, () => Promise.resolve());
  }

  mayHave(name: string): readonly string[] {
    return this.#slots.unlisted().filter((server) => name.startsWith(this.#slots.toolName(server, '')));
  }

  tools(server?: string): readonly ToolSpec[] {
    const { offered, byServer } = this.#slots.registry;
    if (server === undefined) return [...offered.values()];
    return [...(byServer.get(this.#slot(server).server.name)?.values() ?? [])];
  }

  quarantinedTools(server?: string): readonly QuarantinedSpec[] {
    const { quarantined } = this.#slots.registry;
    return server === undefined
      ? quarantined
      : quarantined.filter((tool) => tool.server === this.#slot(server).server.name);
  }

  findTool(name: string): ToolSpec | undefined {
    return this.#slots.registry.offered.get(name);
  }

  toolName(server: string, tool: string): string {
    return this.#slots.toolName(server, tool);
  }

  callTool(server: string, tool: string, request: CallRequest = {}): Promise<CallToolResult> {
    const slot = this.#slots.get(server);
    if (!slot) return Promise.reject(this.#unknown(server));
    const { clock } = this.#context;
    const startedAt = request.maxTotalMs === undefined ? 0 : clock.monotonic();
    const call = (connection: Connection): Promise<CallToolResult> => {
      const spec = requireTool(this.#slots.registry, slot.server.name, tool);
      const repeatable = repeatableByAnnotation(spec.annotations, slot.server.trust);
      const options = this.#sendOptions(slot, repeatable, request);
      // What it took to start the server is gone from the time there is.
      if (request.maxTotalMs !== undefined) options.maxTotalMs -= Math.floor(clock.monotonic() - startedAt);
      if (options.maxTotalMs <= 0) throw notInTime(this.#reached(slot), request.maxTotalMs ?? 0);
      return connection.send(callToolRequest(spec, request.arguments ?? {}, request.meta), options);
    };
    const what = { method: 'tools/call', tool, signal: request.signal, timeoutMs: request.timeoutMs };
    return this.#use(slot, what, call);
  }

  async listResources(server: string, options: WaitOptions = {}): Promise<ResourceLists> {
    const what = { method: 'resources/list', signal: options.signal };
    return this.#use(this.#slot(server), what, (connection) => connection.resources(options.signal));
  }

  async readResource(server: string, uri: string, options: WaitOptions = {}): Promise<readonly ResourceContents[]> {
    return this.#ask(server, readResourceRequest(uri), options);
  }

  async followResource(server: string, uri: string, options: WaitOptions = {}): Promise<() => Promise<void>> {
    const what = { method: 'resources/subscribe', signal: options.signal };
    return this.#use(this.#slot(server), what, async (connection) => {
      await connection.follow(uri, options.signal);
      return () => connection.unfollow(uri);
    });
  }

  async listPrompts(server: string, options: WaitOptions = {}): Promise<readonly Prompt[]> {
    const what = { method: 'prompts/list', signal: options.signal };
    return this.#use(this.#slot(server), what, (connection) => connection.prompts(options.signal));
  }

  async getPrompt(server: string, name: string, request: PromptRequest = {}): Promise<PromptResult> {
    return this.#ask(server, getPromptRequest(name, request.arguments ?? {}), request);
  }

  on<Type extends keyof HubEvents>(type: Type, listener: (event: HubEvents[Type]) => void): () => void {
    return this.#slots.events.on(type, listener);
  }

  /** Lets go of every server of this view. */
  async close(options: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isClosed = true;
    await this.#slots.drain(options.drainMs ?? 0);
    await this.#slots.removeAll();
    this.#context.onClosed?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Reading changes nothing, so it may be repeated. */
  async #ask<Result>(server: string, request: ProtocolRequest<Result>, options: WaitOptions): Promise<Result> {
    const slot = this.#slot(server);
    const send = (connection: Connection): Promise<Result> =>
      connection.send(request, this.#sendOptions(slot, 'repeatable', options));
    return this.#use(slot, { method: request.method, signal: options.signal }, send);
  }

  async #use<Result>(slot: ServerSlot, what: Use, run: (connection: Connection) => Promise<Result>): Promise<Result> {
    this.requireOpen();
    if (!slot.isEnabled) throw serverDisabled(this.#reached(slot));
    try {
      const connection = slot.phase === 'connected' ? slot.connection : await this.#open(slot, what);
      if (!connection) throw new NotConnectedError({ phase: 'disconnected' });
      try {
        return await run(connection);
      } catch (error) {
        // The server checks arguments in headers by a newer schema than ours, and has not run the tool.
        if (!isHeaderMismatch(error)) throw error;
        await connection.refreshTools();
        return await run(connection);
      }
    } catch (error) {
      throw toHubError(error, { ...what, server: this.#reached(slot), leaving: slot.leaving });
    }
  }

  /** Starts the server; a call that brings a timeout of its own does not wait longer than that. */
  async #open(slot: ServerSlot, { signal, timeoutMs }: Use): Promise<Connection | undefined> {
    if (timeoutMs === undefined) return slot.open('call', signal);
    const limit = new AbortController();
    const timer = this.#context.clock.after(timeoutMs, () => limit.abort());
    try {
      return await slot.open('call', signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    } catch (error) {
      throw limit.signal.aborted && !signal?.aborted ? notInTime(this.#reached(slot), timeoutMs) : error;
    } finally {
      timer.cancel();
    }
  }

  #reached({ server, since }: Pick<ServerSlot, 'server' | 'since'>): Reached {
    return { name: server.name, transport: this.scrubber.scrub(describeTransport(server.transport)), since };
  }

  #sendOptions(slot: ServerSlot, repeatable: Repeatable, request: CallRequest): Mutable<SendOptions> {
    const { signal, onProgress, onSent, handlers, timeoutMs = slot.server.timeoutMs } = request;
    const { callTotalMs } = this.#context.limits;
    const maxTotalMs = Math.min(callTotalMs, request.maxTotalMs ?? callTotalMs);
    return { timeoutMs, maxTotalMs, signal, onProgress, onSent, handlers, repeatable };
  }

  #slot(name: string): ServerSlot {
    const slot = this.#slots.get(name);
    if (slot) return slot;
    throw this.#unknown(name);
  }

  #unknown(name: string): McpError {
    if (this.#isClosed) return hubClosed();
    const removed = this.#slots.removed(name);
    return removed ? serverRemoved(this.#reached(removed)) : serverUnknown(name, this.#slots.names());
  }

  /** Throws if the hub is closed. */
  protected requireOpen(): void {
    if (this.#isClosed) throw hubClosed();
  }
}

const HEADER_MISMATCH = -32_020;

function isHeaderMismatch(error: unknown): boolean {
  return (
    error instanceof RequestError && error.failure.kind === 'rpc-error' && error.failure.error.code === HEADER_MISMATCH
  );
}

interface Use {
  readonly method: string;
  readonly tool?: string;
  readonly signal: AbortSignal | undefined;
  /** The caller's own limit, if he has set one. */
  readonly timeoutMs?: number | undefined;
}
