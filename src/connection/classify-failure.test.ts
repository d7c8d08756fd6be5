import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as sdk from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { Scrubber } from '../redaction.ts';
import { BodyTooLargeError, boundedFetch } from '../transport/bounded-fetch.ts';
import { NotWrittenError, WireFault } from '../transport/live-transport.ts';
import { UnsafeLoginError } from '../transport/oauth-provider.ts';
import { RateLimitedError } from '../transport/rate-limit.ts';
import { classifyFailure, foreignText, safeCause } from './classify-failure.ts';
import type { RequestFailure } from './request-failure.ts';

const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = sdk;
const scrubber = new Scrubber();
scrubber.add('s3cr3t-value');

const classify = (thrown: unknown): RequestFailure => classifyFailure(thrown, sdk, scrubber);
const httpError = (status: number, text?: string): Error =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `Error POSTing to endpoint: ${text ?? ''}`, {
    status,
    statusText: 'Status',
    ...(text !== undefined && { text }),
  });

describe('classifyFailure', () => {
  test.each(['closed', 'overloaded', 'unreachable'] as const)(
    'knows a request that was never written: %s',
    (reason) => {
      const thrown = new NotWrittenError(reason, 'not sent with s3cr3t-value');
      expect(classify(thrown)).toEqual({ kind: 'not-written', reason, detail: 'not sent with ***' });
    },
  );

  test('knows an answer that was too large, wherever it stands among the causes', () => {
    const tooLarge = new BodyTooLargeError(10);
    const detail = 'the response is larger than 10 bytes';
    expect(classify(tooLarge)).toEqual({ kind: 'too-large', detail });
    expect(classify(new TypeError('terminated', { cause: new Error('inner', { cause: tooLarge }) }))).toEqual({
      kind: 'too-large',
      detail,
    });
  });

  test('passes on what a server answered, without secrets', () => {
    const thrown = new ProtocolError(-32_602, 'no s3cr3t-value', { key: ['s3cr3t-value'] });
    expect(classify(thrown)).toEqual({
      kind: 'rpc-error',
      error: { code: -32_602, message: 'no ***', data: { key: ['***'] } },
    });
    expect(classify(new ProtocolError(-32_601, ''))).toEqual({
      kind: 'rpc-error',
      error: { code: -32_601, message: '' },
    });
  });

  test('passes on the errors for which the SDK has classes of their own', () => {
    const thrown = ProtocolError.fromError(-32_002, 'Resource not found', { uri: 'file:///x' });
    expect(classify(thrown)).toEqual({
      kind: 'rpc-error',
      error: { code: thrown.code, message: 'Resource not found', data: { uri: 'file:///x' } },
    });
  });

  test('knows the answers that the transport made itself, and takes no server’s word for it', () => {
    const tooLarge = new WireFault('message-too-large', 'it has 11 MB');
    const invalid = new WireFault('invalid-message', 'the result is null');
    expect(classify(new ProtocolError(-32_603, 'x', tooLarge))).toEqual({ kind: 'too-large', detail: 'it has 11 MB' });
    expect(classify(new ProtocolError(-32_603, 'x', invalid))).toEqual({
      kind: 'invalid-result',
      detail: 'the result is null',
    });
    expect(classify(new ProtocolError(-32_603, 'x', { ...tooLarge }))).toMatchObject({ kind: 'rpc-error' });
  });

  test.each<[number, string | undefined, RequestFailure]>([
    [401, undefined, { kind: 'refused', status: 401, detail: 'HTTP 401' }],
    [401, 'log in', { kind: 'refused', status: 401, detail: 'HTTP 401: log in' }],
    [403, 'no', { kind: 'refused', status: 403, detail: 'HTTP 403: no' }],
    [429, 'slow down', { kind: 'rate-limited', detail: 'HTTP 429: slow down' }],
    [
      404,
      'Session not found',
      { kind: 'session-expired', detail: 'the server no longer knows our session (HTTP 404)', status: 404 },
    ],
    [
      400,
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID"},"id":null}',
      { kind: 'session-expired', detail: 'the server no longer knows our session (HTTP 400)', status: 400 },
    ],
    [400, 'Bad Request', { kind: 'not-mcp', detail: 'HTTP 400: Bad Request', status: 400 }],
    [405, '', { kind: 'not-mcp', detail: 'HTTP 405', status: 405 }],
    [500, 'broken by s3cr3t-value', { kind: 'no-answer', detail: 'HTTP 500: broken by ***' }],
    [503, undefined, { kind: 'no-answer', detail: 'HTTP 503' }],
  ])('reads HTTP %i with %j', (status, text, failure) => {
    expect(classify(httpError(status, text))).toEqual(failure);
  });

  test.each<[sdk.SdkErrorCode, RequestFailure]>([
    [SdkErrorCode.InvalidResult, { kind: 'invalid-result', detail: 'of ***' }],
    [SdkErrorCode.UnsupportedResultType, { kind: 'invalid-result', detail: 'of ***' }],
    [SdkErrorCode.InputRequiredRoundsExceeded, { kind: 'invalid-result', detail: 'of ***' }],
    [SdkErrorCode.CapabilityNotSupported, { kind: 'invalid-result', detail: 'of ***' }],
    [SdkErrorCode.ClientHttpUnexpectedContent, { kind: 'not-mcp', detail: 'of ***; this is no MCP endpoint' }],
    [SdkErrorCode.NotConnected, { kind: 'not-written', reason: 'closed', detail: 'of ***' }],
    [SdkErrorCode.ConnectionClosed, { kind: 'no-answer', detail: 'of ***' }],
  ])('reads the SDK’s %s', (code, failure) => {
    expect(classify(new SdkError(code, 'of s3cr3t-value'))).toEqual(failure);
  });

  test('knows no answer where it knows nothing else, and tells the causes', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(classify(new TypeError('fetch failed', { cause: reset }))).toEqual({
      kind: 'no-answer',
      detail: 'fetch failed: read ECONNRESET',
    });
    expect(classify('just text')).toEqual({ kind: 'no-answer', detail: 'just text' });
    expect(classify(undefined)).toEqual({ kind: 'no-answer', detail: 'undefined' });
  });

  test('knows a server that has too much to do, and when to ask it again', () => {
    expect(classify(new RateLimitedError('s3cr3t-value', 5_000))).toEqual({
      kind: 'rate-limited',
      retryAfterMs: 5_000,
      detail: 'HTTP 429; the server asks to wait 5 s: ***',
    });
    expect(classify(new TypeError('x', { cause: new RateLimitedError('', undefined) }))).toEqual({
      kind: 'rate-limited',
      detail: 'HTTP 429',
    });
  });

  test('knows a stream that ended without the answer', () => {
    const fault = new WireFault('no-answer', 'it ended');
    expect(classify(new ProtocolError(-32_603, 'x', fault))).toEqual({ kind: 'no-answer', detail: 'it ended' });
  });

  test('looks behind the question for the era at what happened to it', () => {
    const page = new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'Unexpected content type: text/html');
    const wrapped = (cause: unknown): Error =>
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'no era', undefined, { cause });
    expect(classify(wrapped(page))).toMatchObject({ kind: 'not-mcp' });
    const away = new TypeError('fetch failed', { cause: new Error('other side closed') });
    expect(classify(wrapped(away))).toEqual({ kind: 'probe-failed', detail: 'fetch failed: other side closed' });
    expect(classify(wrapped(undefined))).toEqual({ kind: 'probe-failed', detail: 'no era' });
  });

  test('knows a login that is needed, and one that failed', () => {
    const marked = Object.assign(new Error('no S256'), { [Symbol.for('mcp.authSeamEscape')]: true });
    const away = Object.assign(new TypeError('fetch failed'), { [Symbol.for('mcp.authSeamEscape')]: true });
    expect(classify(new sdk.UnauthorizedError())).toMatchObject({
      status: 401,
      detail: expect.stringContaining('asks for a login'),
    });
    expect([
      classify(new UnsafeLoginError('to a file')),
      classify(new sdk.OAuthError('invalid_client', 'no s3cr3t-value')),
      classify(marked),
    ]).toEqual([
      { kind: 'refused', status: 401, detail: 'the login failed: to a file' },
      { kind: 'refused', status: 401, detail: 'the login failed: no ***' },
      { kind: 'refused', status: 401, detail: 'the login failed: no S256' },
    ]);
    expect(classify(away)).toEqual({ kind: 'no-answer', detail: 'fetch failed' });
  });

  test('ends with an error that is its own cause', () => {
    const circular = new Error('round');
    circular.cause = circular;
    expect(classify(circular)).toMatchObject({ kind: 'no-answer' });
  });
});

/** Answers every request alike; what is not read of a request does not matter. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: URL } & AsyncDisposable> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the SDK throws when it connects there, classified. */
async function classifyConnect(kind: 'http' | 'sse', url: URL): Promise<RequestFailure> {
  const Transport = kind === 'http' ? sdk.StreamableHTTPClientTransport : sdk.SSEClientTransport;
  const client = new sdk.Client({ name: 'test', version: '1.0.0' });
  const thrown: unknown = await client.connect(new Transport(url, { fetch: boundedFetch(1000) })).then(
    () => 'connected',
    (error: unknown) => error,
  );
  await client.close();
  return classify(thrown);
}

describe('what the SDK throws of real servers', () => {
  test.each<['http' | 'sse', number, string, string, object]>([
    ['http', 401, 'text/plain', 'log in', { kind: 'refused', status: 401, detail: 'HTTP 401: log in' }],
    ['http', 403, 'text/plain', 'no', { kind: 'refused', status: 403, detail: 'HTTP 403: no' }],
    [
      'http',
      404,
      'text/plain',
      'nothing',
      { kind: 'session-expired', detail: 'the server no longer knows our session (HTTP 404)', status: 404 },
    ],
    ['http', 500, 'text/plain', 'broken', { kind: 'no-answer', detail: 'HTTP 500: broken' }],
    [
      'http',
      200,
      'text/html',
      '<p>',
      { kind: 'not-mcp', detail: 'Unexpected content type: text/html; this is no MCP endpoint' },
    ],
    ['http', 200, 'application/json', '{oops', { kind: 'invalid-result', detail: 'the answer is no JSON-RPC message' }],
    [
      'http',
      200,
      'application/json',
      '{"a":1}',
      { kind: 'invalid-result', detail: 'the answer is no JSON-RPC message' },
    ],
    [
      'http',
      200,
      'application/json',
      ' '.repeat(2000),
      { kind: 'too-large', detail: 'the response is larger than 1000 bytes' },
    ],
    [
      'sse',
      401,
      'text/plain',
      'log in',
      { kind: 'refused', status: 401, detail: 'SSE error: Non-200 status code (401)' },
    ],
    ['sse', 403, 'text/plain', 'no', { kind: 'refused', status: 403, detail: 'SSE error: Non-200 status code (403)' }],
    ['sse', 404, 'text/plain', 'no', { kind: 'not-mcp', detail: 'SSE error: Non-200 status code (404)', status: 404 }],
    ['sse', 500, 'text/plain', 'no', { kind: 'no-answer', detail: 'SSE error: Non-200 status code (500)' }],
    [
      'sse',
      200,
      'text/html',
      '<p>',
      { kind: 'not-mcp', detail: 'SSE error: Invalid content type, expected "text/event-stream"' },
    ],
  ])('%s: HTTP %i with %s %j', async (kind, status, type, body, failure) => {
    await using server = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    expect(await classifyConnect(kind, server.url)).toEqual(failure);
  });

  test('a redirect to another server is told, and not followed', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.2:1/mcp' }).end();
    });
    const detail = 'Redirect to http://127.0.0.2:1/mcp not followed';
    const [http, sse] = [await classifyConnect('http', server.url), await classifyConnect('sse', server.url)];
    expect([http, sse].map(({ kind }) => kind)).toEqual(['not-mcp', 'not-mcp']);
    expect([http, sse].every((failure) => 'detail' in failure && failure.detail.includes(detail))).toBe(true);
  });

  test('nobody listens there', async () => {
    const server = await serve(() => undefined);
    await server[Symbol.asyncDispose]();
    const host = `${server.url.host} cannot be reached (ECONNREFUSED)`;
    expect(await classifyConnect('http', server.url)).toEqual({
      kind: 'not-written',
      reason: 'unreachable',
      detail: host,
    });
    expect(await classifyConnect('sse', server.url)).toMatchObject({ kind: 'not-written', reason: 'unreachable' });
  });

  test('the server hangs up', async () => {
    await using server = await serve((request) => request.socket.destroy());
    const failure = await classifyConnect('http', server.url);
    expect(failure).toMatchObject({ kind: 'no-answer' });
    expect('detail' in failure && failure.detail).toMatch(/^fetch failed: /);
  });
});

describe('foreignText', () => {
  test('has no secrets, nothing hidden, and is no longer than a sentence', () => {
    expect(foreignText('\u001B[31ms3cr3t-value\u200B!', scrubber)).toBe('[31m***!');
    expect(foreignText('x'.repeat(200), scrubber)).toBe('x'.repeat(200));
    expect(foreignText('x'.repeat(5000), scrubber)).toBe(`${'x'.repeat(200)}…`);
  });

  test('shows no half of a secret that the cut goes through', () => {
    expect(foreignText(`${'x'.repeat(195)}s3cr3t-value`, scrubber)).toBe(`${'x'.repeat(195)}***`);
  });
});

describe('safeCause', () => {
  test('keeps name, message and code, and nothing else of what was thrown', () => {
    const thrown = Object.assign(new TypeError('sent s3cr3t-value'), { code: 'EPIPE', body: 's3cr3t-value' });
    const safe = safeCause(thrown, scrubber);
    expect({ ...safe, message: safe.message, cause: safe.cause }).toEqual({
      name: 'TypeError',
      message: 'sent ***',
      code: 'EPIPE',
      cause: undefined,
    });
    expect(safe.stack).not.toContain('s3cr3t-value');
  });

  test('keeps nothing of what a parser quotes, because a piece of a secret is not recognised', () => {
    const thrown = parseError('s3cr3t-value is told here');
    expect(thrown.message).toContain('s3cr3t-');
    expect(safeCause(thrown, scrubber).message).toBe('it cannot be parsed');
    expect(JSON.stringify(classify(new TypeError('failed', { cause: thrown })))).not.toContain('s3cr3t-');
  });

  test('masks a code that an authorization server has made', () => {
    const thrown = Object.assign(new Error('refused'), { code: 'no_s3cr3t-value' });
    expect(safeCause(thrown, scrubber)).toMatchObject({ code: 'no_***' });
  });

  test('makes an error of anything', () => {
    const safe = safeCause('s3cr3t-value', scrubber);
    expect([safe instanceof Error, safe.message, Object.keys(safe)]).toEqual([true, '***', []]);
  });

  test('drops a code that is no text', () => {
    expect(Object.keys(safeCause(Object.assign(new Error('x'), { code: -32_000 }), scrubber))).toEqual(['name']);
  });
});

function parseError(text: string): Error {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it was expected not to be parsed');
}
