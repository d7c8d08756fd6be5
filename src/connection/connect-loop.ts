import { sleep } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { askedDelayMs, attemptFailure, lossFailure } from './connection-failure.ts';
import { initialState, isTrying, nextState } from './connection-state.ts';
import type { ConnectionEvent, ConnectionState } from './connection-state.ts';
import { NotConnectedError } from './not-connected-error.ts';
import { WiserError } from './open-conversation.ts';
import { orAbandon } from './or-abandon.ts';
import type { ProtocolClient } from './protocol-client.ts';
import { delayBeforeAttempt } from './reconnect-policy.ts';
import { RequestError } from './request-failure.ts';

export interface ConnectLoopOptions {
  /** One attempt; tells of the transport as soon as there is one. */
  readonly open: (attempt: Attempt) => Promise<ProtocolClient>;
  /** Runs an attempt when its turn has come: not all servers start at once. */
  readonly takeTurn: (attempt: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly connectTimeoutMs: number;
  /** An attempt that keeps to no limit, such as a server object that never answers, is left behind after this long. */
  readonly abandonMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly scrubber: Scrubber;
  readonly onState: (change: StateChange) => void;
  readonly onOpened: (client: ProtocolClient) => void;
  readonly onRetired: () => void;
}

export interface Attempt {
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly onTransport: (transport: LiveTransport) => void;
  readonly onClosed: (client: ProtocolClient) => void;
}

export interface StateChange {
  readonly previous: ConnectionState;
  readonly current: ConnectionState;
}

// A login, and one with a wider scope.
const MAX_LOGINS = 2;

/** Makes one server's state come true: attempts, backoff, loss and end, with never more than one channel open. */
export class ConnectLoop {
  readonly #options: ConnectLoopOptions;
  readonly #waiting = new Set<() => void>();
  #state: ConnectionState = initialState;
  #client: ProtocolClient | undefined;
  #lastTransport: LiveTransport | undefined;
  #attempts = new AbortController();
  #driving: Promise<void> | undefined;
  #retiring: Promise<void> = Promise.resolve();
  #starts = 0;

  constructor(options: ConnectLoopOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get client(): ProtocolClient | undefined {
    return this.#client;
  }

  /** The channel in use, or the last one that was: its end may say why. */
  get lastTransport(): LiveTransport | undefined {
    return this.#lastTransport;
  }

  get starts(): number {
    return this.#starts;
  }

  /** The open conversation, if there is one now. */
  get openClient(): ProtocolClient | undefined {
    return this.#state.phase === 'connected' && this.#client?.isOpen ? this.#client : undefined;
  }

  /** The open conversation, after as much waiting as connecting takes. */
  async ready(trigger: 'connect' | 'call', signal?: AbortSignal): Promise<ProtocolClient> {
    signal?.throwIfAborted();
    if (this.openClient) return this.openClient;
    this.#apply({ type: trigger });
    this.#drive();
    if (isTrying(this.#state)) await this.#settled(signal);
    if (this.#client?.isOpen) return this.#client;
    throw new NotConnectedError(this.#state);
  }

  /** Ends the connection; afterwards no process of it is left. */
  async disconnect(): Promise<void> {
    this.#apply({ type: 'disconnect' });
    this.#attempts.abort(new NotConnectedError(this.#state));
    this.#retire();
    await this.#driving;
    await this.#retiring;
  }

  /** A channel is of no use any more; a new one is opened if this was the one in use. */
  lose(client: ProtocolClient): void {
    if (client !== this.#client) return;
    const { clock, scrubber } = this.#options;
    this.#retire();
    this.#apply({ type: 'lost', at: clock.monotonic(), failure: lossFailure(client.transport, scrubber) });
    this.#drive();
  }

  /** The server no longer lets us in, and nobody is there to log in. */
  refuse(client: ProtocolClient, message: string): void {
    if (client !== this.#client) return;
    this.#retire();
    this.#apply({ type: 'auth-required', failure: { code: 'AUTH_REQUIRED', message, permanent: true } });
  }

  /** Resolves when no attempt is under way any more. */
  #settled(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        this.#waiting.delete(check);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        finish();
        reject(signal?.reason);
      };
      const check = (): void => {
        if (isTrying(this.#state)) return;
        finish();
        resolve();
      };
      this.#waiting.add(check);
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
    const { clock, random, takeTurn } = this.#options;
    let logins = 0;
    let isWiser = false;
    let askedMs = 0;
    while (isTrying(this.#state) && !signal.aborted) {
      const { attempt } = this.#state;
      try {
        const delayMs = isWiser ? 0 : delayBeforeAttempt(attempt, random(), askedMs);
        if (delayMs > 0) await sleep(clock, delayMs, signal);
        await this.#retiring;
        await takeTurn(() => this.#attempt(signal), signal);
      } catch (error) {
        isWiser = error instanceof WiserError;
        askedMs = askedDelayMs(error);
        const isLogin = error instanceof WiserError && error.lesson === 'login';
        logins += isLogin ? 1 : 0;
        // A login is no failure of the server.
        if (signal.aborted || (isLogin && logins <= MAX_LOGINS)) continue;
        this.#onAttemptFailed(error instanceof WiserError ? error.cause : error);
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    this.#lastTransport = undefined;
    const { clock, connectTimeoutMs, abandonMs } = this.#options;
    const opening = this.#options.open({
      signal,
      attempt: isTrying(this.#state) ? this.#state.attempt : 1,
      onTransport: (transport) => {
        this.#lastTransport = transport;
        this.#starts += 1;
      },
      onClosed: (closed) => this.lose(closed),
    });
    const client = await orAbandon(opening, {
      clock,
      signal,
      limitMs: connectTimeoutMs,
      graceMs: abandonMs,
      tooLate: () => new RequestError({ kind: 'timeout', afterMs: connectTimeoutMs }),
      discard: (late) => void late.close(),
    });
    this.#client = client;
    this.#apply({ type: 'established', at: this.#options.clock.monotonic() });
    if (client.isOpen) this.#options.onOpened(client);
    else this.lose(client);
  }

  #onAttemptFailed(error: unknown): void {
    const { logger, scrubber } = this.#options;
    const failure = attemptFailure(error, this.#lastTransport, scrubber);
    logger.log('info', 'connect attempt failed', { code: failure.code, reason: failure.message });
    this.#apply({ type: failure.code === 'AUTH_REQUIRED' ? 'auth-required' : 'attempt-failed', failure });
  }

  /** Closes the current channel; the next one is not opened before it is gone. */
  #retire(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#options.onRetired();
    if (!client) return;
    this.#retiring = Promise.allSettled([this.#retiring, client.close()]).then(() => undefined);
  }

  #apply(event: ConnectionEvent): void {
    const previous = this.#state;
    const current = nextState(previous, event);
    if (current === previous) return;
    this.#state = current;
    this.#options.onState({ previous, current });
    for (const check of [...this.#waiting]) check();
  }
}
