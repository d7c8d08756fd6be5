import { NEVER, sleep } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import type { Confinement, DeniedEgress } from '../isolation/confinement.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import type { ResourceLists } from './catalog-keeper.ts';
import type { Catalog, CatalogLimits, Prompt } from './catalog.ts';
import { ChangeFeed } from './change-feed.ts';
import { ConnectLoop } from './connect-loop.ts';
import type { ConnectLoopOptions, StateChange } from './connect-loop.ts';
import type { ConnectionState } from './connection-state.ts';
import { logIn } from './log-in.ts';
import { openConversation } from './open-conversation.ts';
import type { ConversationOptions } from './open-conversation.ts';
import type { Era, ProtocolClient, ServerInfo } from './protocol-client.ts';
import type { ProtocolRequest, RequestOptions } from './protocol-request.ts';
import { RequestError } from './request-failure.ts';
import { mayResend, waitBeforeResend } from './resend-policy.ts';
import type { Repeatable } from './resend-policy.ts';
import type { ServerRequestHandlers } from './server-requests.ts';

type Given =
  | 'openTransport'
  | 'eraProbeMs'
  | 'isHttp'
  | 'eraMemory'
  | 'serverRequests'
  | 'version'
  | 'connectTimeoutMs';

export interface ConnectionOptions
  extends
    Pick<ConversationOptions, Given>,
    Pick<ConnectLoopOptions, 'takeTurn' | 'abandonMs' | 'clock' | 'random' | 'logger' | 'scrubber'> {
  readonly maxPendingCalls: number;
  /** What is known of the server's offers before it is started, and where they are kept. */
  readonly catalogMemory: { recall(): Catalog | undefined; keep(catalog: Catalog): void };
  readonly catalogLimits: CatalogLimits;
}

export interface ConnectionEvents {
  state: StateChange;
  catalog: Catalog;
  'resource-changed': { readonly uri: string };
  'egress-denied': DeniedEgress;
}

export interface SendOptions extends RequestOptions {
  readonly repeatable: Repeatable;
  /** Who answers what the server asks while this call runs. */
  readonly handlers?: ServerRequestHandlers | undefined;
}

/** One server's live connection: what it offers, and requests to it, whatever becomes of its channel. */
export class Connection {
  readonly events: Emitter<ConnectionEvents>;
  readonly #options: ConnectionOptions;
  readonly #loop: ConnectLoop;
  readonly #keeper: CatalogKeeper;
  readonly #feed: ChangeFeed;
  #pendingCalls = 0;
  #retired = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.events = new Emitter((error) => options.logger.log('error', 'an event listener threw', { error }));
    const { clock, logger, random, catalogLimits, connectTimeoutMs } = options;
    const requestOptions = { timeoutMs: connectTimeoutMs, maxTotalMs: connectTimeoutMs };
    this.#keeper = new CatalogKeeper({
      clock,
      logger,
      requestOptions,
      limits: catalogLimits,
      scrubber: options.scrubber,
      recall: () => options.catalogMemory.recall(),
      keep: (catalog) => options.catalogMemory.keep(catalog),
      onChanged: (catalog) => this.events.emit('catalog', catalog),
    });
    this.#feed = new ChangeFeed({ clock, random, logger, requestOptions, onGap: (list) => this.#keeper.changed(list) });
    this.#loop = this.#createLoop();
  }

  get state(): ConnectionState {
    return this.#loop.state;
  }

  /** What the server offers, or last offered. */
  get catalog(): Catalog {
    return this.#keeper.catalog;
  }

  /** Whether what is known of the server's offers comes from an earlier run. */
  get isCatalogRemembered(): boolean {
    return this.#keeper.isRemembered;
  }

  get serverInfo(): ServerInfo | undefined {
    return this.#loop.client?.serverInfo;
  }

  get protocolVersion(): string | undefined {
    return this.#loop.client?.protocolVersion;
  }

  get era(): Era | undefined {
    return this.#loop.client?.era;
  }

  get notSupported(): readonly string[] {
    return this.#loop.client?.notSupported ?? [];
  }

  get pid(): number | undefined {
    return this.#loop.client?.transport.pid;
  }

  /** What holds the server's process, if it is under isolation. */
  get confinement(): Confinement | undefined {
    return this.#loop.client?.transport.confinement;
  }

  get stderr(): string {
    return this.#options.scrubber.scrub(this.#loop.lastTransport?.stderr ?? '');
  }

  get droppedMessages(): number {
    return this.#loop.client?.droppedMessages ?? 0;
  }

  /** How often the server was started again after its first start. */
  get restarts(): number {
    return Math.max(0, this.#loop.starts - 1);
  }

  get pendingCalls(): number {
    return this.#pendingCalls;
  }

  /** Connects if need be; `call` respects a disconnect that was asked for. */
  async connect(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<void> {
    await this.#loop.ready(trigger, signal);
  }

  /** Ends the connection; afterwards no process of it is left. */
  async disconnect(): Promise<void> {
    await this.#loop.disconnect();
  }

  /** Sends one request, a second time only where that is safe. */
  async send<Result>(request: ProtocolRequest<Result>, options: SendOptions): Promise<Result> {
    if (this.#pendingCalls >= this.#options.maxPendingCalls) {
      const detail = `${this.#pendingCalls} calls are waiting for this server already`;
      throw new RequestError({ kind: 'not-written', reason: 'overloaded', detail });
    }
    const { serverRequests } = this.#options;
    this.#pendingCalls += 1;
    serverRequests.begin(options.handlers);
    try {
      options.signal?.throwIfAborted();
      const client = this.#loop.openClient ?? (await this.#loop.ready('call', options.signal));
      this.#keeper.touch(client);
      const startedAt = this.#options.clock.monotonic();
      try {
        return await client.request(request, options);
      } catch (error) {
        // The hard maximum is for both times together, and for the wait between them.
        const leftMs = (): number => options.maxTotalMs - (this.#options.clock.monotonic() - startedAt);
        const resend: Use<Result> = (next) => next.request(request, { ...options, maxTotalMs: leftMs() });
        const patience = { ...options, timeoutMs: Math.min(options.timeoutMs, leftMs()), leftMs };
        return await this.#again({ client, error }, resend, patience);
      }
    } finally {
      serverRequests.end(options.handlers);
      this.#pendingCalls -= 1;
    }
  }

  /** Lists the tools again now. */
  async refreshTools(): Promise<void> {
    await this.#keeper.refresh();
  }

  async resources(signal?: AbortSignal): Promise<ResourceLists> {
    return this.#onceOrTwice((client) => this.#keeper.resources(client, signal), this.#forLists(signal));
  }

  async prompts(signal?: AbortSignal): Promise<readonly Prompt[]> {
    return this.#onceOrTwice((client) => this.#keeper.prompts(client, signal), this.#forLists(signal));
  }

  /** Tells of every change of a resource, across reconnects, until it is unfollowed. */
  async follow(uri: string, signal?: AbortSignal): Promise<void> {
    await this.#loop.ready('call', signal);
    await this.#feed.follow(uri);
  }

  async unfollow(uri: string): Promise<void> {
    await this.#feed.unfollow(uri);
  }

  /** Reading changes nothing, so it may be repeated. */
  #forLists(signal: AbortSignal | undefined): Patience {
    return { repeatable: 'repeatable', timeoutMs: this.#options.connectTimeoutMs, signal };
  }

  /** Uses the open conversation, a second time only where that is safe. */
  async #onceOrTwice<Result>(use: Use<Result>, options: Patience): Promise<Result> {
    const client = await this.#loop.ready('call', options.signal);
    this.#keeper.touch(client);
    try {
      return await use(client);
    } catch (error) {
      return await this.#again({ client, error }, use, options);
    }
  }

  /** Does again what has failed, or throws why it must not be done again. */
  async #again<Result>({ client, error: failure }: Failed, use: Use<Result>, options: Patience): Promise<Result> {
    if (!(failure instanceof RequestError)) throw failure;
    this.#noteLoss(client, failure);
    await this.#untilWorthRepeating(client, failure, options);
    const next = await this.#loop.ready('call', options.signal);
    // What would only run out of time while the server works on it is better not sent.
    if (options.leftMs && options.leftMs() <= 0) throw failure;
    try {
      return await use(next);
    } catch (error) {
      if (error instanceof RequestError) this.#noteLoss(next, error);
      throw error;
    }
  }

  /** Throws what happened unless doing the same again may end better, and does no harm. */
  async #untilWorthRepeating(client: ProtocolClient, error: RequestError, options: Patience): Promise<void> {
    const { failure } = error;
    if (mayResend(failure, options.repeatable)) return;
    const waitMs = waitBeforeResend(failure, options.timeoutMs);
    if (waitMs !== undefined) {
      await this.#pause(waitMs, options.signal);
      return;
    }
    // What was refused for want of a login did not run.
    if (failure.kind === 'refused') await this.#logIn(client, error, options.signal);
    else throw error;
  }

  async #logIn(client: ProtocolClient, error: RequestError, signal: AbortSignal = NEVER): Promise<void> {
    try {
      if (await logIn(client.transport, signal, this.#options.scrubber)) return;
      throw error;
    } catch (refusal) {
      const isForToken = error.failure.kind === 'refused' && error.failure.status === 401;
      if (isForToken && refusal instanceof RequestError) this.#loop.refuse(client, refusal.message);
      throw refusal;
    }
  }

  /** Waits; the end of the conversation ends the wait too. */
  async #pause(ms: number, signal: AbortSignal = NEVER): Promise<void> {
    const either = AbortSignal.any([this.#retired.signal, signal]);
    await sleep(this.#options.clock, ms, either).catch(() => signal.throwIfAborted());
  }

  #noteLoss(client: ProtocolClient, { failure }: RequestError): void {
    const isUnwritten = failure.kind === 'not-written' && failure.reason !== 'overloaded';
    if (failure.kind === 'session-expired' || isUnwritten) this.#loop.lose(client);
  }

  #createLoop(): ConnectLoop {
    return new ConnectLoop({
      ...this.#options,
      open: (attempt) =>
        openConversation({
          ...this.#options,
          ...attempt,
          keeper: this.#keeper,
          onResourceChanged: (uri) => this.events.emit('resource-changed', { uri }),
        }),
      onState: (change) => this.events.emit('state', change),
      onOpened: (client) => void this.#feed.start(client),
      onRetired: () => {
        this.#keeper.stop();
        this.#feed.stop();
        this.#retired.abort();
        this.#retired = new AbortController();
      },
    });
  }
}

/** What was tried, and what came of it. */
interface Failed {
  readonly client: ProtocolClient;
  readonly error: unknown;
}

type Use<Result> = (client: ProtocolClient) => Promise<Result>;

interface Patience extends Pick<SendOptions, 'repeatable' | 'timeoutMs' | 'signal'> {
  readonly leftMs?: () => number;
}
