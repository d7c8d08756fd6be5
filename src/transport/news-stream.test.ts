import { expect, test } from 'vitest';
import { watchingNews } from './news-stream.ts';

const URL_OF_SERVER = 'https://server.example/mcp';
const stream = (status = 200): Response =>
  new Response('', { status, headers: { 'content-type': 'text/event-stream' } });

/** How often a reopening was told after each of these requests. */
async function reopenings(requests: readonly [init: RequestInit, response?: Response, url?: string][]) {
  let count = 0;
  const answers = requests.map(([, response = stream()]) => response);
  const fetch = watchingNews(
    async () => answers.shift() ?? stream(),
    URL_OF_SERVER,
    () => (count += 1),
  );
  const counts: number[] = [];
  for (const [init, , url = URL_OF_SERVER] of requests) {
    await fetch(url, init);
    counts.push(count);
  }
  return counts;
}

const get = { method: 'GET' };

test('the first stream misses nothing, each later one may have', async () => {
  expect(await reopenings([[get], [get], [get]])).toEqual([0, 1, 2]);
});

test('a stream that could not be opened, or is resumed, or is the answer to a request, does not count', async () => {
  const resumed = { method: 'GET', headers: { 'Last-Event-ID': '7' } };
  expect(
    await reopenings([
      [get],
      [get, stream(503)],
      [get, new Response('{}', { headers: { 'content-type': 'application/json' } })],
      [resumed],
      [{ method: 'POST' }],
      [get, stream(), 'https://login.example/'],
      [get],
    ]),
  ).toEqual([0, 0, 0, 0, 0, 0, 1]);
});
