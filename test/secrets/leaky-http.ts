import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spellingsOf } from '../fixtures/servers/spellings.mjs';

/** How a remote server tells what it was sent. */
export const HTTP_LEAKS = [
  'error-body',
  'redirect',
  'challenge',
  'scope',
  'page',
  'rpc-error',
  'no-json',
  'no-json-event',
  'too-many',
] as const;

export type HttpLeak = (typeof HTTP_LEAKS)[number];

export interface LeakyHttp extends AsyncDisposable {
  readonly origin: string;
}

interface Rpc {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

interface Told {
  /** Everything the request held, in every spelling. */
  readonly everything: string;
  /** The same as far as it fits into a header. */
  readonly header: string;
}

/** A server that tells the secrets in the address and the headers of a request: of every one, or of calls only. */
export async function startLeakyHttp(leak: HttpLeak, on: 'connect' | 'call'): Promise<LeakyHttp> {
  const server = createServer((request, response) => {
    void answer(request, response, { leak, on });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { leak, on }: { readonly leak: HttpLeak; readonly on: 'connect' | 'call' },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const message = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Rpc;
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (on === 'connect' || message.method === 'tools/call') LEAKS[leak](response, toldBy(request, on), message);
  else answerHealthily(response, message);
}

/** Messages are cut, so that what comes first differs. */
function toldBy(request: IncomingMessage, on: 'connect' | 'call'): Told {
  const { url = '', headers } = request;
  const sent = [headers['authorization'], headers['x-api-key']].flatMap((value) =>
    typeof value === 'string' ? [value] : [],
  );
  const addresses = [url, decodeURIComponent(url), encodeURIComponent(url)];
  const spelled = sent.flatMap(spellingsOf);
  const parts = on === 'connect' ? [...addresses, ...spelled] : [...spelled, ...addresses];
  return {
    everything: parts.join(' ; '),
    header: [url, ...sent].join(' ').replaceAll('"', String.raw`\"`),
  };
}

const LEAKS: Readonly<Record<HttpLeak, (response: ServerResponse, told: Told, message: Rpc) => void>> = {
  'error-body': (response, { everything }) => response.writeHead(500, 'Oops').end(everything),
  redirect: (response, { header }) => response.writeHead(307, { location: `http://elsewhere.example/${header}` }).end(),
  challenge: (response, { header, everything }) => {
    response.writeHead(401, { 'www-authenticate': `Bearer error="x", error_description="${header}"` }).end(everything);
  },
  scope: (response, { header, everything }) => {
    const challenge = `Bearer error="insufficient_scope", scope="${header}", error_description="${header}"`;
    response.writeHead(403, { 'www-authenticate': challenge }).end(everything);
  },
  page: (response, { everything }) => response.writeHead(200, { 'content-type': 'text/html' }).end(everything),
  'rpc-error': (response, { everything }, { id }) => {
    sendJson(response, { jsonrpc: '2.0', id, error: { code: -32_050, message: everything, data: { everything } } });
  },
  'no-json': (response, { everything }) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(everything),
  'no-json-event': (response, { everything }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: message\ndata: ${everything.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
  },
  'too-many': (response, { everything }) => response.writeHead(429, { 'retry-after': '0' }).end(everything),
};

function answerHealthily(response: ServerResponse, { id, method, params }: Rpc): void {
  if (id === undefined) response.writeHead(202).end();
  else if (method === 'initialize') {
    const { protocolVersion } = params ?? {};
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'leaky', version: '1' } };
    sendJson(response, { jsonrpc: '2.0', id, result });
  } else if (method === 'tools/list') {
    sendJson(response, { jsonrpc: '2.0', id, result: { tools: [{ name: 'fail', inputSchema: { type: 'object' } }] } });
  } else sendJson(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
