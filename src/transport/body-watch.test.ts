import { expect, test } from 'vitest';
import { isEventStream, watchingBody } from './body-watch.ts';

test('tells of the end once, before the reader knows, and changes nothing', async () => {
  const ends: unknown[] = [];
  const response = watchingBody(new Response('text', { status: 201, headers: { 'x-a': 'b' } }), (error) =>
    ends.push(error),
  );
  expect([response.status, response.headers.get('x-a'), ends]).toEqual([201, 'b', []]);
  expect([await response.text(), ends]).toEqual(['text', [undefined]]);
});

test('tells what the body ended in', async () => {
  const ends: unknown[] = [];
  const broken = new Error('cut');
  const body = new ReadableStream({ pull: (controller) => controller.error(broken) });
  await expect(watchingBody(new Response(body), (error) => ends.push(error)).text()).rejects.toBe(broken);
  expect(ends).toEqual([broken]);
});

test('a reader that has had enough ends the source, and that is no end of the body', async () => {
  let isCancelled = false;
  const ends: unknown[] = [];
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  await watchingBody(new Response(body), (error) => ends.push(error)).body?.cancel();
  expect([isCancelled, ends]).toEqual([true, []]);
});

test('a response without a body is passed on', () => {
  const empty = new Response(null, { status: 204 });
  expect(watchingBody(empty, () => undefined)).toBe(empty);
});

test.each([
  ['text/event-stream', true],
  [' Text/Event-Stream; charset=utf-8', true],
  ['text/event-streams', false],
  ['application/json', false],
])('knows whether %j is a stream of events', (type, isEvents) => {
  expect(isEventStream(new Response('', { headers: { 'content-type': type } }))).toBe(isEvents);
});
