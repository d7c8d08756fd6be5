import type * as SdkModule from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { Clock } from '../clock.ts';
import { McpError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import type { DirectCalls } from '../transport/direct-calls.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { classifyFailure, foreignText, safeCause, toldBy } from './classify-failure.ts';
import { DeadlineSet } from './deadline-set.ts';
import { DirectRequest } from './direct-request.ts';
import type { DirectContext } from './direct-request.ts';
import { HandshakeWatch } from './handshake-watch.ts';
import { schemaOf, tellSent, whyUnsendable } from './protocol-request.ts';
import type { ProtocolRequest, RequestOptions } from './protocol-request.ts';
import { RequestDeadline } from './request-deadline.ts';
import { RequestError } from './request-failure.ts';
import type { ServerRequests } from './server-requests.ts';

type Sdk = typeof SdkModule;

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

export interface ProtocolClientOptions {
  readonly transport: LiveTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  readonly version: string;
  readonly connectTimeoutMs: number;
  /** `probe` asks the server for its era; `legacy` is for one that is known not to like the question. */
  readonly era: 'probe' | 'legacy';
  /** A legacy server over stdio may leave a question it does not know without an answer. */
  readonly probeMs: number;
  readonly serverRequests: ServerRequests;
  readonly signal: AbortSignal;
  readonly onListChanged: (list: ListName) => void;
  readonly onResourceChanged: (uri: string) => void;
  readonly onClosed: (client: ProtocolClient) => void;
}

export type ListName = 'tools' | 'resources' | 'prompts';

const LISTS: readonly ListName[] = ['tools', 'resources', 'prompts'];

export type Era = 'modern' | 'legacy';

/** What to be told of. */
export interface Wanted {
  readonly lists: readonly ListName[];
  readonly uris: readonly string[];
}

export interface Subscription {
  /** Resolves when the stream has ended, for whatever reason. */
  readonly closed: Promise<unknown>;
}

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

// Our own deadline ends every request; the SDK's timer is only kept out of its way.
const NEVER_MS = 2_147_483_647;

/** One conversation with a server, from its handshake to its end; a reconnect begins a new one. */
export class ProtocolClient {
  readonly transport: LiveTransport;
  readonly #options: ProtocolClientOptions;
  readonly #sdk: Sdk;
  readonly #client: Client;
  readonly #handshakeWatch: HandshakeWatch;
  #strayMessages = 0;
  readonly #open = new Set<RequestDeadline>();
  #closed = false;
  #directContext: DirectContext | undefined;

  private constructor(options: ProtocolClientOptions, sdk: Sdk) {
    this.#options = options;
    this.#handshakeWatch = new HandshakeWatch(options.era);
    this.#sdk = sdk;
    this.transport = options.transport;
    this.#client = new sdk.Client(
      { name: 'fairlead', version: options.version },
      {
        capabilities: options.serverRequests.capabilities,
        ...(options.era === 'probe' && { versionNegotiation: { mode: 'auto', probe: { timeoutMs: this.#probeMs() } } }),
      },
    );
    options.serverRequests.register(this.#client);
  }

  /** Starts the transport and shakes hands; on failure the transport is closed. */
  static async open(options: ProtocolClientOptions): Promise<ProtocolClient> {
    const sdk = await import('@modelcontextprotocol/client');
    const client = new ProtocolClient(options, sdk);
    try {
      await client.#handshake();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get serverInfo(): ServerInfo | undefined {
    const info = this.#client.getServerVersion();
    const { scrubber } = this.#options;
    return info && { name: foreignText(info.name, scrubber), version: foreignText(info.version, scrubber) };
  }

  /** The server did answer the question for its era, but only after we had given up waiting. */
  get isLateModern(): boolean {
    return this.era === 'legacy' && this.#handshakeWatch.hasSaidModern;
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** Stateless since 2026-07-28, with a handshake before. */
  get era(): Era | undefined {
    return this.#client.getProtocolEra();
  }

  /** Messages that were unreadable, or answered nothing that was asked. */
  get droppedMessages(): number {
    return this.transport.droppedMessages + this.#strayMessages;
  }

  get isOpen(): boolean {
    return !this.#closed && this.#client.transport !== undefined;
  }

  offers(list: ListName): boolean {
    return this.#client.getServerCapabilities()?.[list] !== undefined;
  }

  /** What the server offers and we cannot use. */
  get notSupported(): readonly string[] {
    const { tasks, extensions = {} } = this.#client.getServerCapabilities() ?? {};
    return tasks !== undefined || TASKS_EXTENSION in extensions ? ['tasks'] : [];
  }

  /** Whether the server says when a list has changed. */
  announces(list: ListName): boolean {
    return this.#client.getServerCapabilities()?.[list]?.listChanged === true;
  }

  /** Subscribes in the new era; resolves when the server has agreed. */
  async listen(wanted: Wanted, signal: AbortSignal): Promise<Subscription> {
    return await this.#client.listen(
      {
        ...(wanted.lists.includes('tools') && { toolsListChanged: true }),
        ...(wanted.lists.includes('resources') && { resourcesListChanged: true }),
        ...(wanted.lists.includes('prompts') && { promptsListChanged: true }),
        ...(wanted.uris.length > 0 && { resourceSubscriptions: [...wanted.uris] }),
      },
      { signal, timeout: this.#options.connectTimeoutMs },
    );
  }

  /** Sends one request; every failure is a RequestError. */
  request<Result>(request: ProtocolRequest<Result>, options: RequestOptions): Promise<Result> {
    if (!this.isOpen) {
      const detail = 'the connection is closed';
      return Promise.reject(new RequestError({ kind: 'not-written', reason: 'closed', detail }));
    }
    // A server of the new era may answer with a question, and that is the SDK's to handle.
    if (request.method !== 'tools/call' || !this.transport.direct || this.era !== 'legacy')
      return this.#requestBySdk(request, options);
    this.#directContext ??= this.#openDirect(this.transport.direct);
    return new DirectRequest(this.#directContext, request, options).answer;
  }

  async #requestBySdk<Result>(request: ProtocolRequest<Result>, options: RequestOptions): Promise<Result> {
    using deadline = new RequestDeadline({ clock: this.#options.clock, ...options });
    this.#open.add(deadline);
    if (options.onSent && whyUnsendable(request.params) === undefined) tellSent(options);
    const sdkOptions = {
      signal: deadline.signal,
      timeout: NEVER_MS,
      onprogress: (progress: Progress): void => {
        deadline.extend();
        options.onProgress?.(progress);
      },
    };
    try {
      if (request.mirrored && this.era === 'modern')
        return request.parse(await this.#callMirrored(request, sdkOptions));
      const { method } = request;
      const params = paramsOf(request);
      return await this.#client.request({ method, ...(params && { params }) }, schemaOf(request.parse), sdkOptions);
    } catch (error) {
      const unsendable = deadline.endedBy === undefined ? whyUnsendable(request.params) : undefined;
      if (unsendable !== undefined) throw new RequestError({ kind: 'unsendable', detail: unsendable });
      throw this.#toRequestError(error, deadline);
    } finally {
      this.#open.delete(deadline);
    }
  }

  /** Tells the server to stop what it is doing for us, then ends the channel. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const deadline of this.#open) deadline.close();
    this.#directContext?.deadlines.closeAll();
    await this.transport.close();
  }

  #openDirect(calls: DirectCalls): DirectContext {
    const { clock, scrubber } = this.#options;
    return { calls, clock, scrubber, deadlines: new DeadlineSet(clock) };
  }

  /** Only the SDK's own way to call a tool puts arguments into headers. */
  async #callMirrored(request: ProtocolRequest<unknown>, options: SdkModule.RequestOptions): Promise<JsonObject> {
    const { name, inputSchema } = request.mirrored ?? { name: '', inputSchema: {} };
    const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } };
    const result = await this.#client.callTool({ ...paramsOf(request), name }, { ...options, toolDefinition });
    return { ...result };
  }

  async #handshake(): Promise<void> {
    const { transport, connectTimeoutMs, clock, signal } = this.#options;
    this.#observe();
    using deadline = new RequestDeadline({ clock, timeoutMs: connectTimeoutMs, maxTotalMs: connectTimeoutMs, signal });
    try {
      await this.#client.connect(transport, { signal: deadline.signal, timeout: NEVER_MS });
    } catch (error) {
      if (error instanceof McpError) throw error;
      throw this.#versionError(error) ?? this.#toRequestError(error, deadline);
    }
  }

  /** Listens in on the transport and the client before they start. */
  #observe(): void {
    const { transport, onClosed, logger, scrubber, onListChanged, onResourceChanged } = this.#options;
    transport.onmessage = (message): void => this.#handshakeWatch.see(message);
    this.#client.onclose = (): void => onClosed(this);
    transport.onmissed = (): void => {
      for (const list of LISTS) if (this.announces(list)) onListChanged(list);
    };
    this.#client.onerror = (error): void => {
      this.#strayMessages += this.#handshakeWatch.isLateAnswer ? 0 : 1;
      logger.log('debug', 'protocol message dropped', { reason: foreignText(toldBy(error), scrubber) });
    };
    for (const list of LISTS) {
      this.#client.setNotificationHandler(`notifications/${list}/list_changed`, () => onListChanged(list));
    }
    this.#client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      onResourceChanged(params.uri),
    );
  }

  // The SDK reports this with a plain error; what the server offered tells it apart.
  #versionError(cause: unknown): RequestError | undefined {
    const offered = this.#handshakeWatch.offeredVersion;
    const supported = this.#sdk.SUPPORTED_PROTOCOL_VERSIONS;
    if (offered === undefined || supported.includes(offered)) return undefined;
    const theirs = foreignText(offered, this.#options.scrubber);
    const detail = `the server speaks protocol version ${theirs}; Fairlead speaks ${supported.join(', ')}`;
    return new RequestError({ kind: 'unsupported-version', detail }, safeCause(cause, this.#options.scrubber));
  }

  /** Silence over HTTP is an outage; over stdio it only says that the server is an old one. */
  #probeMs(): number {
    const { probeMs, connectTimeoutMs } = this.#options;
    return 'pid' in this.transport ? Math.min(probeMs, connectTimeoutMs) : connectTimeoutMs;
  }

  #toRequestError(thrown: unknown, deadline: RequestDeadline): RequestError {
    const { scrubber } = this.#options;
    if (deadline.endedBy === 'timeout') return new RequestError({ kind: 'timeout', afterMs: deadline.limitMs });
    if (deadline.endedBy === 'cancelled') return new RequestError({ kind: 'cancelled' });
    if (deadline.endedBy === 'closed')
      return new RequestError({ kind: 'no-answer', detail: 'the connection was ended' });
    const failure = classifyFailure(thrown, this.#sdk, scrubber);
    // Without a session there is none to expire: the answer means something else, and proves nothing about the request.
    const isOfSession = failure.kind === 'session-expired' && this.transport.sessionId !== undefined;
    const told =
      failure.kind === 'session-expired' && !isOfSession ? { ...failure, kind: 'not-mcp' as const } : failure;
    return new RequestError(told, safeCause(thrown, scrubber));
  }
}

function paramsOf({ params, meta }: ProtocolRequest<unknown>): JsonObject | undefined {
  return meta ? { ...params, _meta: meta } : params;
}
