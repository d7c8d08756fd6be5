import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import type { ResourceLists } from './catalog-keeper.ts';
import type { Catalog, CatalogLimits, Prompt } from './catalog.ts';
import { attemptFailure, lossFailure } from './connection-failure.ts';
import { initialState, isTrying, nextState } from './connection-state.ts';
import type { ConnectionEvent, ConnectionState } from './connection-state.ts';
import { NotConnectedError } from './not-connected-error.ts';
import { openConversation } from './open-conversation.ts';
import type { ProtocolClient, ProtocolRequest, RequestOptions, ServerInfo } from './protocol-client.ts';
import { delayBeforeAttempt } from './reconnect-policy.ts';
import { RequestError } from './request-failure.ts';
import { mayResend } from './resend-policy.ts';
import type { Repeatable } from './resend-policy.ts';

export interface ConnectionOptions {
  /** Opens a fresh channel; called once per attempt. */
  readonly openTransport: (signal: AbortSignal) => Promise<LiveTransport>;
  /** Runs an attempt when its turn has come: not all servers start at once. */
  readonly takeTurn: (attempt: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly connectTimeoutMs: number;
  readonly maxPendingCalls: number;
  readonly catalogLimits: CatalogLimits;
  readonly version: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
}

export interface ConnectionEvents {
  state: { readonly previous: ConnectionState; readonly current: ConnectionState };
  catalog: Catalog;
}

export interface SendOptions extends RequestOptions {
  readonly repeatable: Repeatable;
}

/** One server's live connection: connects, reconnects, and never has more than one channel open. */
export class Connection {
  readonly events: Emitter<ConnectionEvents> = new Emitter();
  readonly #options: ConnectionOptions;
  readonly #keeper: CatalogKeeper;
  #state: ConnectionState = initialState;
  #client: ProtocolClient | undefined;
  #lastTransport: LiveTransport | undefined;
  #attempts = new AbortController();
  #driving: Promise<void> | undefined;
  #retiring: Promise<void> = Promise.resolve();
  #starts = 0;
  #pendingCalls = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { clock, logger, catalogLimits, connectTimeoutMs } = options;
    this.#keeper = new CatalogKeeper({
      clock,
      logger,
      limits: catalogLimits,
      requestOptions: { timeoutMs: connectTimeoutMs, maxTotalMs: connectTimeoutMs },
      onChanged: (catalog) => this.events.emit('catalog', catalog),
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** What the server offers, or last offered. */
  get catalog(): Catalog {
    return this.#keeper.catalog;
  }

  get serverInfo(): ServerInfo | undefined {
    return this.#client?.serverInfo;
  }

  get protocolVersion(): string | undefined {
    return this.#client?.protocolVersion;
  }

  get pid(): number | undefined {
    return this.#client?.transport.pid;
  }

  get stderr(): string {
    return this.#options.scrubber.scrub(this.#lastTransport?.stderr ?? '');
  }

  get droppedMessages(): number {
    return this.#client?.droppedMessages ?? 0;
  }

  /** How often the server was started again after its first start. */
  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  get pendingCalls(): number {
    return this.#pendingCalls;
  }

  /** Connects if need be; `call` respects a disconnect that was asked for. */
  async connect(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<void> {
    await this.#ready(trigger, signal);
  }

  /** Ends the connection; afterwards no process of it is left. */
  async disconnect(): Promise<void> {
    this.#apply({ type: 'disconnect' });
    this.#attempts.abort(new NotConnectedError(this.#state));
    this.#retire();
    await this.#driving;
    await this.#retiring;
  }

  /** Drops the current channel and opens a new one. */
  async reconnect(signal?: AbortSignal): Promise<void> {
    await this.disconnect();
    await this.connect('connect', signal);
  }

  /** Sends one request, a second time only where that is safe. */
  async send<Result>(request: ProtocolRequest<Result>, options: SendOptions): Promise<Result> {
    if (this.#pendingCalls >= this.#options.maxPendingCalls) {
      const detail = `${this.#pendingCalls} calls are waiting for this server already`;
      throw new RequestError({ kind: 'not-written', reason: 'overloaded', detail });
    }
    this.#pendingCalls += 1;
    try {
      return await this.#sendOnceOrTwice(request, options);
    } finally {
      this.#pendingCalls -= 1;
    }
  }

  async resources(signal?: AbortSignal): Promise<ResourceLists> {
    return this.#keeper.resources(await this.#ready('call', signal), signal);
  }

  async prompts(signal?: AbortSignal): Promise<readonly Prompt[]> {
    return this.#keeper.prompts(await this.#ready('call', signal), signal);
  }

  async #sendOnceOrTwice<Result>(request: ProtocolRequest<Result>, options: SendOptions): Promise<Result> {
    const client = await this.#ready('call', options.signal);
    try {
      return await client.request(request, options);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (isLoss(error)) this.#onLost(client);
      if (!mayResend(error.failure, options.repeatable)) throw error;
      const next = await this.#ready('call', options.signal);
      return await next.request(request, options);
    }
  }

  /** The open conversation, after as much waiting as connecting takes. */
  async #ready(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<ProtocolClient> {
    signal?.throwIfAborted();
    if (this.#client?.isOpen && this.#state.phase === 'connected') return this.#client;
    this.#apply({ type: trigger });
    this.#drive();
    if (isTrying(this.#state)) await this.#settled(signal);
    if (this.#client?.isOpen) return this.#client;
    throw new NotConnectedError(this.#state);
  }

  /** Resolves when no attempt is under way any more. */
  #settled(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        stop();
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        finish();
        reject(signal?.reason);
      };
      const stop = this.events.on('state', ({ current }) => {
        if (isTrying(current)) return;
        finish();
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Keeps exactly one loop of attempts running while the state asks for one. */
  #drive(): void {
    if (this.#driving || !isTrying(this.#state)) return;
    this.#attempts = new AbortController();
    this.#driving = this.#attemptUntilSettled(this.#attempts.signal).finally(() => {
      this.#driving = undefined;
      // A disconnect and a new connect may have come while the last attempt was being undone.
      this.#drive();
    });
  }

  async #attemptUntilSettled(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    while (isTrying(this.#state) && !signal.aborted) {
      const { attempt } = this.#state;
      try {
        const delayMs = delayBeforeAttempt(attempt, random());
        if (delayMs > 0) await sleep(clock, delayMs, signal);
        await this.#retiring;
        await this.#options.takeTurn(() => this.#attempt(signal), signal);
      } catch (error) {
        if (!signal.aborted) this.#onAttemptFailed(error);
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    this.#lastTransport = undefined;
    const client = await openConversation({
      ...this.#options,
      keeper: this.#keeper,
      signal,
      onTransport: (transport) => {
        this.#lastTransport = transport;
        this.#starts += 1;
      },
      onClosed: (closed) => this.#onLost(closed),
    });
    this.#client = client;
    this.#apply({ type: 'established', at: this.#options.clock.monotonic() });
    if (!client.isOpen) this.#onLost(client);
  }

  #onAttemptFailed(error: unknown): void {
    const failure = attemptFailure(error, this.#lastTransport, this.#options.scrubber);
    this.#options.logger.log('info', 'connect attempt failed', { code: failure.code, reason: failure.message });
    this.#apply({ type: failure.code === 'AUTH_REQUIRED' ? 'auth-required' : 'attempt-failed', failure });
  }

  #onLost(client: ProtocolClient): void {
    if (client !== this.#client) return;
    const { clock, scrubber } = this.#options;
    this.#retire();
    this.#apply({ type: 'lost', at: clock.monotonic(), failure: lossFailure(client.transport, scrubber) });
    this.#drive();
  }

  /** Closes the current channel; the next one is not opened before it is gone. */
  #retire(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#keeper.stop();
    if (!client) return;
    const previous = this.#retiring;
    this.#retiring = Promise.allSettled([previous, client.close()]).then(() => undefined);
  }

  #apply(event: ConnectionEvent): void {
    const previous = this.#state;
    const current = nextState(previous, event);
    if (current === previous) return;
    this.#state = current;
    this.events.emit('state', { previous, current });
  }
}

/** Failures after which the channel is of no use. */
function isLoss(error: RequestError): boolean {
  const { failure } = error;
  return failure.kind === 'session-expired' || (failure.kind === 'not-written' && failure.reason !== 'overloaded');
}
