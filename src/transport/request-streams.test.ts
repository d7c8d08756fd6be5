import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { settle } from '../../test/fixtures/manual-clock.ts';
import { BodyTooLargeError } from './bounded-fetch.ts';
import { WireFault } from './live-transport.ts';
import { RequestStreams } from './request-streams.ts';

const URL = 'https://mcp.example/mcp';
const EVENTS = { 'content-type': 'text/event-stream' };
const REQUEST: JSONRPCMessage = { jsonrpc: '2.0', id: 7, method: 'tools/call' };
const ANSWER: JSONRPCMessage = { jsonrpc: '2.0', id: 7, result: {} };
const ENDED = 'the stream of the answer ended before the answer came';
const failing = (fault: WireFault): unknown[] => [
  expect.objectContaining({ id: 7, error: expect.objectContaining({ data: fault }) }),
];

describe('RequestStreams', () => {
  test('fails a request whose stream ends without the answer', async () => {
    const { options, delivered } = await sent();
    options.onRequestStreamEnd?.();
    expect(delivered).toEqual(failing(new WireFault('no-answer', ENDED)));
    options.onRequestStreamEnd?.();
    expect([delivered.length, options.requestSignal?.aborted]).toEqual([1, true]);
  });

  test('leaves an answered request alone', async () => {
    const { streams, options, delivered } = await sent();
    streams.received(ANSWER);
    options.onRequestStreamEnd?.();
    expect(delivered).toEqual([]);
  });

  test('a server’s own request of the same id answers nothing', async () => {
    const { streams, options, delivered } = await sent();
    streams.received({ jsonrpc: '2.0', id: 7, method: 'roots/list' });
    options.onRequestStreamEnd?.();
    expect(delivered).toHaveLength(1);
  });

  test('says that a stream was too large when that ended it', async () => {
    const { options, delivered } = await sent({ body: failingBody(new BodyTooLargeError(10)) });
    options.onRequestStreamEnd?.();
    expect(delivered).toEqual(failing(new WireFault('message-too-large', 'the response is larger than 10 bytes')));
  });

  test('fails a request at once when a whole answer belongs to another', async () => {
    const { delivered } = await sent({ headers: { 'content-type': 'application/json' } });
    expect(delivered).toEqual(
      failing(new WireFault('no-answer', 'what the server sent back does not answer the request')),
    );
  });

  test.each<[string, Partial<Sending>]>([
    ['accepted without an answer', { status: 202 }],
    ['refused', { status: 500 }],
  ])('waits for a request that was %s', async (_what, sending) => {
    expect((await sent({ ...sending, headers: {} })).delivered).toEqual([]);
  });

  test('closes the stream of a request that is cancelled', async () => {
    const { streams, options, delivered } = await sent();
    const cancelled: JSONRPCMessage = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    };
    await streams.send(async () => undefined, cancelled);
    expect(options.requestSignal?.aborted).toBe(true);
    options.onRequestStreamEnd?.();
    expect(delivered).toEqual([]);
  });

  test('a request that could not be sent is forgotten, and one of the new era ends by its own signal', async () => {
    const streams = new RequestStreams(() => undefined);
    await expect(streams.send(() => Promise.reject(new Error('away')), REQUEST)).rejects.toThrow('away');
    const own = new AbortController();
    let merged: AbortSignal | undefined;
    await streams.send(async (_message, options) => void (merged = options?.requestSignal), REQUEST, {
      requestSignal: own.signal,
    });
    own.abort();
    expect(merged?.aborted).toBe(true);
  });

  test('passes subscriptions, answers and notifications on as they are', async () => {
    const streams = new RequestStreams(() => undefined);
    const seen: unknown[] = [];
    const inner = async (_message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> =>
      void seen.push(options);
    const subscription = { onRequestStreamEnd: (): void => undefined };
    await streams.send(inner, REQUEST, subscription);
    await streams.send(inner, ANSWER);
    await streams.send(inner, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(seen).toEqual([subscription, {}, {}]);
  });
});

describe('a stream that can be resumed', () => {
  test('is given up when resuming it fails, or brings nothing', async () => {
    for (const answer of [
      new Response('', { status: 500 }),
      new Response('', { status: 405 }),
      new Response('', { headers: EVENTS }),
    ]) {
      const { options, delivered, resume } = await sent();
      options.onresumptiontoken?.('event-1');
      const response = await resume('event-1', async () => answer);
      await response.text();
      await settle();
      expect(delivered).toEqual(failing(new WireFault('no-answer', ENDED)));
    }
    const { options, delivered, resume } = await sent();
    options.onresumptiontoken?.('event-1');
    await expect(resume('event-1', () => Promise.reject(new TypeError('fetch failed')))).rejects.toThrow();
    expect(delivered).toHaveLength(1);
  });

  test('goes on when resuming it brings the answer, or a later place to resume from', async () => {
    const { streams, options, delivered, resume } = await sent();
    options.onresumptiontoken?.('event-1');
    const polled = await resume('event-1', async () => new Response('', { headers: EVENTS }));
    options.onresumptiontoken?.('event-2');
    await polled.text();
    const last = await resume('event-2', async () => new Response('', { headers: EVENTS }));
    streams.received(ANSWER);
    await last.text();
    await settle();
    expect(delivered).toEqual([]);
  });

  test('is not confused with the stream of changes', async () => {
    const { options, delivered, resume } = await sent();
    options.onresumptiontoken?.('event-1');
    for (const eventId of [undefined, 'event-of-changes']) {
      const changes = await resume(eventId, async () => new Response('', { headers: EVENTS }));
      await changes.text();
    }
    await settle();
    expect(delivered).toEqual([]);
  });
});

interface Sending {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream;
}

interface Sent {
  readonly streams: RequestStreams;
  /** What the SDK's transport was given. */
  readonly options: TransportSendOptions;
  readonly delivered: JSONRPCMessage[];
  readonly resume: (eventId: string | undefined, inner: () => Promise<Response>) => Promise<Response>;
}

/** A request that the SDK's transport has sent, and whose body it has read. */
async function sent({ status = 200, headers = EVENTS, body = '' }: Partial<Sending> = {}): Promise<Sent> {
  const delivered: JSONRPCMessage[] = [];
  const streams = new RequestStreams((message) => delivered.push(message));
  const fetch = streams.watching(async () => new Response(body, { status, headers }), URL);
  let given: TransportSendOptions = {};
  await streams.send(async (_message, options = {}) => {
    given = options;
    const response = await fetch(URL, { method: 'POST' });
    await response.text().catch(() => undefined);
  }, REQUEST);
  const resume: Sent['resume'] = (eventId, inner) =>
    streams.watching(inner, URL)(URL, {
      method: 'GET',
      headers: eventId === undefined ? {} : { 'last-event-id': eventId },
    });
  return { streams, options: given, delivered, resume };
}

function failingBody(error: Error): ReadableStream {
  return new ReadableStream({
    pull: (controller) => controller.error(error),
  });
}
