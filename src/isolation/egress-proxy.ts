import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { DeniedEgress } from './confinement.ts';
import { dialWithin, ForbiddenAddressError } from './dial.ts';
import type { Dial } from './dial.ts';
import { passedOn } from './hop-headers.ts';
import { canonicalHost, formatTarget, parseAuthority } from './host-rule.ts';
import type { EgressTarget } from './host-rule.ts';
import type { NetworkPolicy } from './network-policy.ts';

export interface EgressProxyOptions {
  readonly policy: NetworkPolicy;
  /** Where it listens; a folder that only we can enter keeps others out. */
  readonly socketPath: string;
  readonly onDenied: (denied: DeniedEgress) => void;
  /** How allowed targets are reached. */
  readonly dial?: Dial | undefined;
  /** How long a connection may be silent before it is cut. */
  readonly idleLimitMs?: number;
}

const MAX_CONNECTIONS = 256;
const MAX_TOLD = 256;
const HTTP_PORT = 80;
const IDLE_LIMIT_MS = 60 * 60 * 1000;

/** The only way out of one server's sandbox: HTTP CONNECT and plain http, to the hosts of one policy. */
export class EgressProxy {
  readonly #options: EgressProxyOptions;
  readonly #dial: Dial;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #told = new Set<string>();
  /** Connections of the server that have asked and are not answered yet. */
  readonly #asking = new WeakSet<Duplex>();
  #dialling = 0;
  #isClosed = false;

  private constructor(options: EgressProxyOptions) {
    this.#options = options;
    this.#dial = options.dial ?? dialWithin(options.policy);
    this.#server = createServer();
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      if (this.#isFirstOf(client)) this.#tunnel(request, client, head).catch(() => client.destroy());
    });
    this.#server.on('request', (request, response) => {
      if (!this.#isFirstOf(request.socket)) return;
      response.once('close', () => this.#asking.delete(request.socket));
      this.#forward(request, response).catch(() => response.destroy());
    });
    this.#server.on('clientError', (_, socket) => socket.destroy());
    this.#server.on('connection', (socket: Socket) => this.#hold(socket));
  }

  static async open(options: EgressProxyOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(options.socketPath, () => {
        proxy.#server.off('error', reject);
        // One that cannot accept any more lets nothing through, which is the safe way to fail.
        proxy.#server.on('error', () => undefined);
        resolve();
      });
    });
    return proxy;
  }

  /** Cuts every connection that goes through it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Several requests at once on one connection would be more ways out than connections, and nothing would limit them. */
  #isFirstOf(client: Duplex): boolean {
    const isFirst = !this.#asking.has(client);
    if (isFirst) this.#asking.add(client);
    else client.destroy();
    return isFirst;
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#hold(client);
    const reached = await this.#reach(request, parseAuthority(request.url ?? ''));
    if (reached.kind === 'refused') {
      client.end(`HTTP/1.1 ${reached.status}\r\n${plainHeaders(reached.text)}\r\n\r\n${reached.text}`);
      return;
    }
    const { upstream } = reached;
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) upstream.write(head);
    pipeline(client, upstream, ignore);
    pipeline(upstream, client, ignore);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = absoluteUrl(request.url ?? '');
    const reached = await this.#reach(request, url && targetOf(url));
    if (reached.kind === 'refused' || url === undefined) {
      const { status, text } = reached.kind === 'refused' ? reached : BAD_REQUEST;
      response.writeHead(Number.parseInt(status, 10), { 'content-type': 'text/plain', connection: 'close' });
      response.end(text);
      return;
    }
    const { method } = request;
    const headers = { ...passedOn(request.headers), host: url.host };
    const createConnection = (): Socket => reached.upstream;
    const onward = httpRequest({ method, path: `${url.pathname}${url.search}`, headers, createConnection });
    onward.once('response', (answer) => answerWith(answer, response));
    onward.once('error', () => response.destroy());
    // Ended without an answer, as by switching to another protocol.
    onward.once('close', () => !response.headersSent && response.destroy());
    response.once('close', () => reached.upstream.destroy());
    request.pipe(onward);
  }

  async #reach({ url = '', socket: client }: IncomingMessage, target: EgressTarget | undefined): Promise<Reached> {
    if (!target) {
      this.#tell(url.slice(0, MAX_ASKED), 'it is no host and port, nor a plain http address');
      return BAD_REQUEST;
    }
    if (!this.#options.policy.allows(target)) return this.#deny(target, 'the network policy does not name it');
    // One who asks and goes away leaves a dial behind, which is a connection of ours.
    if (this.#dialling >= MAX_CONNECTIONS) return TOO_MANY;
    this.#dialling += 1;
    try {
      const upstream = await this.#dial(target);
      this.#hold(upstream);
      upstream.setTimeout(this.#options.idleLimitMs ?? IDLE_LIMIT_MS, () => upstream.destroy());
      if (client.destroyed) upstream.destroy();
      return { kind: 'open', upstream };
    } catch (error) {
      if (error instanceof ForbiddenAddressError) return this.#deny(target, error.message);
      return { kind: 'refused', status: '502 Bad Gateway', text: `${formatTarget(target)} could not be reached\n` };
    } finally {
      this.#dialling -= 1;
    }
  }

  #deny(target: EgressTarget, reason: string): Reached {
    const shown = formatTarget(target);
    this.#tell(shown, reason);
    return { kind: 'refused', status: '403 Forbidden', text: `${shown} is blocked: ${reason}\n` };
  }

  #tell(target: string, reason: string): void {
    // Told once for each target: a server that tries again and again must not flood whoever listens.
    if (this.#isClosed || this.#told.has(target) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(target);
    this.#options.onDenied({ target, reason });
  }

  #hold(socket: Duplex): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#isClosed) socket.destroy();
  }
}

type Reached =
  | { readonly kind: 'open'; readonly upstream: Socket }
  | { readonly kind: 'refused'; readonly status: string; readonly text: string };

const MAX_ASKED = 200;
const BAD_REQUEST = {
  kind: 'refused',
  status: '400 Bad Request',
  text: 'only CONNECT host:port and absolute http addresses are served\n',
} as const;
const TOO_MANY = {
  kind: 'refused',
  status: '503 Service Unavailable',
  text: 'too many connections are being made\n',
} as const;

function ignore(): void {
  // Both ends see for themselves how it ended.
}

function absoluteUrl(text: string): URL | undefined {
  if (!/^http:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

function targetOf(url: URL): EgressTarget | undefined {
  const host = canonicalHost(url.hostname);
  return host === undefined ? undefined : { host, port: url.port === '' ? HTTP_PORT : Number(url.port) };
}

/** Passes an answer on; one that is none in http must not become an error of ours. */
function answerWith(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 0, headers } = answer;
  if (statusCode < 200) {
    response.destroy();
    return;
  }
  response.writeHead(statusCode, passedOn(headers));
  answer.pipe(response);
  answer.once('error', () => response.destroy());
}

function plainHeaders(text: string): string {
  const length = Buffer.byteLength(text);
  return [`content-type: text/plain`, `content-length: ${length}`, 'connection: close'].join('\r\n');
}
