/* oxlint-disable typescript/no-deprecated -- there are servers that speak nothing newer than SSE */
import type * as SdkModule from '@modelcontextprotocol/client';
import type {
  FetchLike,
  JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { sleep } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { HttpTransport, SseTransport } from '../config/server-transport.ts';
import type { Authorization, Authorizer } from './authorization.ts';
import { watchingBody } from './body-watch.ts';
import { Inbox } from './inbox.ts';
import type { LiveTransport, TransportContext, TransportEnding } from './live-transport.ts';
import { LoginTurns } from './login-turns.ts';
import { watchingNews } from './news-stream.ts';
import { remoteFetch } from './remote-fetch.ts';
import { RequestStreams } from './request-streams.ts';
import type { Send } from './request-streams.ts';
import { withSdkWarnings } from './sdk-warnings.ts';
import { TimerSet } from './timer-set.ts';

type SdkTransport = StreamableHTTPClientTransport | SSEClientTransport;

// The SDK would stop listening for changes after two failures, and tell nobody.
const STREAM_RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

/** A channel to a remote server: the SDK's transport with bounded bodies, a guarded login and a session that is ended. */
export async function openRemoteTransport(
  context: TransportContext,
  declared: HttpTransport | SseTransport,
  authorizer: Authorizer,
): Promise<LiveTransport> {
  const sdk = await import('@modelcontextprotocol/client');
  const { server, principal = 'local', hide = () => undefined } = context;
  const { kind, oauth: settings = {}, headers } = declared;
  const url = new URL(declared.url);
  // Who sends a token of his own does not want another to be fetched.
  const hasOwnToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  const authorization = hasOwnToken
    ? undefined
    : withSdkWarnings(context.logger, () => authorizer.open({ server, url: url.href, principal, settings, hide }, sdk));
  const turns = authorization && createTurns(url, authorization, sdk);
  const fetch = remoteFetch(context, { url: url.href, headers });
  const opening = { context, url, authorization, turns, sdk, fetch: turns?.waiting(fetch) ?? fetch };
  return kind === 'sse' ? openSse(opening) : openHttp(opening);
}

interface Opening {
  readonly context: TransportContext;
  readonly url: URL;
  readonly authorization: Authorization | undefined;
  readonly turns: LoginTurns | undefined;
  readonly fetch: FetchLike;
  readonly sdk: typeof SdkModule;
}

function openHttp({ context, url, authorization, turns, fetch, sdk }: Opening): LiveTransport {
  const streams = new RequestStreams((message) => live.onmessage?.(message));
  const timers = new TimerSet(context.clock);
  const transport = new sdk.StreamableHTTPClientTransport(url, {
    fetch: streams.watching(
      watchingNews(fetch, url.href, () => live.onmissed?.()),
      url.href,
    ),
    reconnectionOptions: STREAM_RECONNECTION,
    reconnectionScheduler: (reconnect, delayMs) => timers.after(delayMs, reconnect),
    ...(authorization && { authProvider: authorization.provider }),
  });
  const live = new RemoteTransport(transport, {
    authorization,
    turns,
    streams,
    logger: context.logger,
    beforeClose: async () => {
      timers.cancelAll();
      await endSession(transport, context);
    },
  });
  return live;
}

function openSse({ context, url, authorization, turns, fetch, sdk }: Opening): LiveTransport {
  const typed = withTypedRefusals(fetch, sdk, authorization !== undefined);
  const transport = new sdk.SSEClientTransport(url, {
    fetch: async (target, init) => {
      const response = await typed(target, init);
      // Its successor would be another session, of which nobody has told the server anything.
      return init?.method === 'POST' ? response : watchingBody(response, () => setImmediate(() => live.lose()));
    },
    ...(authorization && { authProvider: authorization.provider }),
  });
  const live = new RemoteTransport(transport, { authorization, turns, logger: context.logger });
  return live;
}

interface RemoteOptions {
  readonly logger: Logger;
  readonly authorization: Authorization | undefined;
  readonly turns: LoginTurns | undefined;
  readonly streams?: RequestStreams;
  readonly beforeClose?: () => Promise<void>;
}

/** The SDK's transport, with what a connection must know beyond it. */
class RemoteTransport implements LiveTransport {
  readonly stderr = '';
  readonly droppedMessages = 0;
  readonly hasPerRequestStream: boolean;
  readonly login?: (signal: AbortSignal) => Promise<boolean>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: LiveTransport['onmessage'];
  onmissed?: (() => void) | undefined;
  readonly #inbox: Inbox = new Inbox((message) => this.onmessage?.(message));
  readonly #inner: SdkTransport;
  readonly #options: RemoteOptions;
  #isStarted = false;
  #ending: TransportEnding | undefined;
  #closing: Promise<void> | undefined;

  constructor(inner: SdkTransport, options: RemoteOptions) {
    this.#inner = inner;
    this.#options = options;
    this.hasPerRequestStream = options.streams !== undefined;
    const logIn = options.authorization?.login;
    const { logger } = options;
    if (logIn)
      this.login = (signal) => withSdkWarnings(logger, () => logIn((callback) => inner.finishAuth(callback), signal));
    inner.onclose = (): void => {
      this.#inbox.flush();
      this.onclose?.();
    };
    inner.onerror = (error): void => this.onerror?.(error);
    inner.onmessage = (message: JSONRPCMessage): void => {
      options.streams?.received(message);
      this.#inbox.deliver(message);
    };
  }

  get ending(): TransportEnding | undefined {
    return this.#ending;
  }

  get sessionId(): string | undefined {
    return 'sessionId' in this.#inner ? this.#inner.sessionId : undefined;
  }

  async start(): Promise<void> {
    await withSdkWarnings(this.#options.logger, () => this.#inner.start());
    this.#isStarted = true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const { streams, turns, logger } = this.#options;
    const send = this.#inner.send.bind(this.#inner) as Send;
    const run = (): Promise<void> => (streams ? streams.send(send, message, options) : send(message, options));
    await withSdkWarnings(logger, () => (turns ? turns.send(run) : run()));
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** The stream on which all answers come has ended; before the start that is the SDK's to tell. */
  lose(): void {
    if (this.#isStarted) void this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ending = { kind: 'closed' };
    await this.#options.beforeClose?.();
    await this.#inner.close();
  }
}

function createTurns(url: URL, authorization: Authorization, sdk: typeof SdkModule): LoginTurns {
  const { provider, isLoginPending = () => false } = authorization;
  return new LoginTurns({
    serverUrl: url.href,
    accessToken: async () => (await provider.tokens())?.access_token,
    isLoginPending,
    unauthorized: () => new sdk.UnauthorizedError(),
  });
}

/** The older transport tells of a refused message only in words; the newer one's error says what it was. */
function withTypedRefusals(inner: FetchLike, sdk: typeof SdkModule, hasLogin: boolean): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init);
    const isForLogin = hasLogin && (response.status === 401 || response.status === 403);
    if (init?.method !== 'POST' || response.ok || isForLogin) return response;
    const { status, statusText } = response;
    const text = await response.text();
    const message = `the server answered HTTP ${status}`;
    throw new sdk.SdkHttpError(sdk.SdkErrorCode.ClientHttpNotImplemented, message, { status, statusText, text });
  };
}

/** Tells the server that the session is over; a server that does not answer is not waited for long. */
async function endSession(transport: StreamableHTTPClientTransport, context: TransportContext): Promise<void> {
  if (transport.sessionId === undefined) return;
  const giveUp = new AbortController();
  await Promise.race([
    transport.terminateSession().catch(() => undefined),
    sleep(context.clock, context.limits.closeGraceMs, giveUp.signal).catch(() => undefined),
  ]);
  giveUp.abort();
}
