import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BodyTooLargeError, boundedFetch } from './bounded-fetch.ts';
import { NotWrittenError } from './live-transport.ts';

const LIMIT = 1000;

interface Served extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the server has seen a connection close. */
  readonly hungUp: Promise<unknown>;
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Served> {
  let onHangUp: (value?: unknown) => void = () => undefined;
  const hungUp = new Promise((resolve) => {
    onHangUp = resolve;
  });
  const server = createServer((request, response) => {
    request.resume();
    response.on('close', onHangUp);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    hungUp,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A response from this process, cut into the given pieces. */
function inPieces(type: string, pieces: readonly string[]): typeof fetch {
  const encoder = new TextEncoder();
  return async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(encoder.encode(piece));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': type } });
  };
}

async function readPieces(type: string, pieces: readonly string[]): Promise<string> {
  const response = await boundedFetch(LIMIT, inPieces(type, pieces))('http://localhost/');
  return response.text();
}

describe('a body', () => {
  test('within the limit passes with its status and headers', async () => {
    await using server = await serve((_request, response) => {
      response
        .writeHead(418, 'Teapot', { 'content-type': 'application/json', 'mcp-session-id': 'abc' })
        .end('x'.repeat(LIMIT));
    });
    const response = await boundedFetch(LIMIT)(server.url);
    expect([response.status, response.statusText, response.headers.get('mcp-session-id')]).toEqual([
      418,
      'Teapot',
      'abc',
    ]);
    expect(await response.text()).toBe('x'.repeat(LIMIT));
  });

  test('over the limit is refused', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(LIMIT + 1));
    });
    const response = await boundedFetch(LIMIT)(server.url);
    await expect(response.text()).rejects.toMatchObject({
      name: 'BodyTooLargeError',
      message: 'the response is larger than 1000 bytes',
      limitBytes: LIMIT,
    });
  });

  test('that does not end is read no further than the limit, and the connection is closed', async () => {
    let written = 0;
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) written += 10_000;
      };
      response.on('drain', write);
      write();
    });
    const response = await boundedFetch(LIMIT)(server.url);
    await expect(response.json()).rejects.toBeInstanceOf(BodyTooLargeError);
    await server.hungUp;
    expect(written).toBeLessThan(100_000_000);
  });

  test('is measured as it is after decompression', async () => {
    await using server = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync('x'.repeat(1_000_000)));
    });
    const response = await boundedFetch(LIMIT)(server.url);
    await expect(response.text()).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test.each([202, 204, 205, 304])('may be missing: HTTP %i', async (status) => {
    await using server = await serve((_request, response) => {
      response.writeHead(status).end();
    });
    const response = await boundedFetch(LIMIT)(server.url);
    expect([response.status, await response.text()]).toEqual([status, '']);
  });

  test('can be given up while it is being read', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const controller = new AbortController();
    const response = await boundedFetch(LIMIT)(server.url, { signal: controller.signal });
    const reading = expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
    controller.abort();
    await reading;
    await server.hungUp;
  });
});

describe('a stream of events', () => {
  const event = `data: ${'x'.repeat(600)}\n\n`;

  test('may be as long as it likes', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      for (let count = 0; count < 100; count += 1) response.write(event);
      response.end();
    });
    const response = await boundedFetch(LIMIT)(server.url);
    expect(await response.text()).toBe(event.repeat(100));
  });

  test.each(['text/event-stream', 'Text/Event-Stream;charset=utf-8'])('is known by its type: %s', async (type) => {
    expect(await readPieces(type, [event, event, event])).toBe(event.repeat(3));
  });

  test('is refused when one event is over the limit', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event);
      response.write(`data: ${'x'.repeat(2000)}`);
    });
    const response = await boundedFetch(LIMIT)(server.url);
    await expect(response.text()).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test('is refused when an event without end comes in small pieces', async () => {
    const pieces = Array.from({ length: 200 }, () => 'data: 1234\n');
    await expect(readPieces('text/event-stream', pieces)).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test('no other type may be as long, whatever is in it', async () => {
    await expect(readPieces('text/plain', [event, event])).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  test('passes when each blank line is cut in two', async () => {
    const text = `data: ${'x'.repeat(90)}\r\n\r\n`;
    const pieces = Array.from({ length: 100 }, (_, index) =>
      index === 0 ? text.slice(0, -1) : `\n${text.slice(0, -1)}`,
    );
    expect(await readPieces('text/event-stream', pieces)).toBe(pieces.join(''));
  });

  test('passes wherever it is cut, with either line ending', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n'), async (lengths, newline) => {
        const text = `data: ${'x'.repeat(90)}${newline}id: 7${newline}${newline}`.repeat(20);
        const pieces: string[] = [];
        for (let start = 0; start < text.length;) {
          const length = lengths[pieces.length % lengths.length] ?? 1;
          pieces.push(text.slice(start, start + length));
          start += length;
        }
        expect(await readPieces('text/event-stream', pieces)).toBe(text);
      }),
    );
  });
});

describe('a request that was never sent', () => {
  test('because nobody listens says where and why', async () => {
    const server = await serve(() => undefined);
    await server[Symbol.asyncDispose]();
    const { host } = new URL(server.url);
    const thrown: unknown = await boundedFetch(LIMIT)(server.url, { method: 'POST', body: '{}' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(NotWrittenError);
    expect(thrown).toMatchObject({
      reason: 'unreachable',
      message: `${host} cannot be reached (ECONNREFUSED)`,
      cause: { message: 'fetch failed' },
    });
  });

  test('shows no password of the url', async () => {
    const refuse = (): Promise<Response> => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(boundedFetch(LIMIT, refuse)('http://user:s3cr3t@example.com/?key=s3cr3t')).rejects.toThrow(
      /^example\.com cannot be reached \(ENOTFOUND\)$/,
    );
  });

  test('is not what it is called when the server hung up after it was sent', async () => {
    await using server = await serve((request) => request.socket.destroy());
    const thrown: unknown = await boundedFetch(LIMIT)(server.url, { method: 'POST', body: '{}' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(TypeError);
  });

  test('is not what any other error is called, even one that is its own cause', async () => {
    const circular = new Error('round');
    circular.cause = circular;
    await expect(boundedFetch(LIMIT, () => Promise.reject(circular))('http://localhost/')).rejects.toBe(circular);
  });
});
