import { expect, test } from 'vitest';
import { DirectCalls } from './direct-calls.ts';
import type { DirectWaiter } from './direct-calls.ts';
import { NotWrittenError } from './live-transport.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('sends calls of one turn in one write, and hands each answer to who waits for it', async () => {
  const { calls, writes, waiter, heard } = open();
  const first = calls.start({ name: 'a', arguments: { x: 1 } }, waiter('first'));
  const second = calls.start(
    { name: 'b', arguments: {}, meta: { traceparent: 't', gone: undefined } },
    waiter('second'),
  );
  expect(writes).toEqual([]);
  await nextTurn();
  expect(writes.map(parse)).toEqual([
    [
      {
        jsonrpc: '2.0',
        id: first,
        method: 'tools/call',
        params: { name: 'a', arguments: { x: 1 }, _meta: { progressToken: first } },
      },
      {
        jsonrpc: '2.0',
        id: second,
        method: 'tools/call',
        params: { name: 'b', arguments: {}, _meta: { progressToken: second, traceparent: 't' } },
      },
    ],
  ]);
  expect(calls.take({ jsonrpc: '2.0', id: second, result: { ok: 2 } })).toBe(true);
  expect(calls.take({ jsonrpc: '2.0', id: first, error: { code: -1, message: 'no' } })).toBe(true);
  expect(heard).toEqual([
    ['second', 'answered', { ok: 2 }],
    ['first', 'refused', { code: -1, message: 'no' }],
  ]);
});

test('leaves to others what it did not ask for, and answers that come twice', () => {
  const { calls, waiter } = open();
  const id = calls.start({ name: 'a', arguments: {} }, waiter('only'));
  const answer = { jsonrpc: '2.0' as const, id, result: {} };
  const others = [
    { jsonrpc: '2.0' as const, id: 1, result: {} },
    { jsonrpc: '2.0' as const, id: 7, method: 'ping' },
    { jsonrpc: '2.0' as const, method: 'notifications/message', params: { progressToken: id } },
    { jsonrpc: '2.0' as const, method: 'notifications/progress', params: { progressToken: 3, progress: 1 } },
  ];
  expect([...others.map((message) => calls.take(message)), calls.take(answer), calls.take(answer)]).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
});

test('hands progress on', () => {
  const { calls, waiter, heard } = open();
  const id = calls.start({ name: 'a', arguments: {} }, waiter('only'));
  const params = { progressToken: id, progress: 1, total: 2, message: 'half', extra: true };
  expect(calls.take({ jsonrpc: '2.0', method: 'notifications/progress', params })).toBe(true);
  expect(heard).toEqual([['only', 'progressed', { progress: 1, total: 2, message: 'half' }]]);
});

test('a call that is cancelled before it was written never is; one that was written is cancelled at the server', async () => {
  const { calls, writes, waiter } = open();
  const unwritten = calls.start({ name: 'a', arguments: {} }, waiter('unwritten'));
  expect(calls.cancel(unwritten, 'timeout')).toBe('unwritten');
  await nextTurn();
  expect(writes).toEqual([]);
  const written = calls.start({ name: 'a', arguments: {} }, waiter('written'));
  await nextTurn();
  expect(calls.cancel(written, 'timeout')).toBe('written');
  await nextTurn();
  const params = { requestId: written, reason: 'timeout' };
  expect(parse(writes[1] ?? '')).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params }]);
});

test('a large batch is written at once, so that the next one can be refused', () => {
  const { calls, writes, waiter } = open();
  calls.start({ name: 'a', arguments: { text: 'x'.repeat(70_000) } }, waiter('large'));
  expect(writes).toHaveLength(1);
});

test('a write that fails fails the calls in it, and the end of the channel all the others', async () => {
  const { calls, waiter, heard, failNext } = open();
  const refusal = new NotWrittenError('overloaded', 'too much');
  failNext(refusal);
  calls.start({ name: 'a', arguments: {} }, waiter('refused'));
  await nextTurn();
  calls.start({ name: 'a', arguments: {} }, waiter('lost'));
  await nextTurn();
  const closed = new Error('Connection closed');
  calls.end(closed);
  calls.end(closed);
  expect(heard).toEqual([
    ['refused', 'failed', refusal],
    ['lost', 'failed', closed],
  ]);
});

test('what JSON cannot say is thrown, and nobody waits for it', async () => {
  const { calls, writes, waiter, heard } = open();
  expect(() => calls.start({ name: 'a', arguments: { n: 1n } }, waiter('never'))).toThrow(TypeError);
  calls.end(new Error('closed'));
  await nextTurn();
  expect([writes, heard]).toEqual([[], []]);
});

function open(): {
  calls: DirectCalls;
  writes: string[];
  heard: unknown[];
  waiter: (name: string) => DirectWaiter;
  failNext: (error: Error) => void;
} {
  const writes: string[] = [];
  const heard: unknown[] = [];
  let failure: Error | undefined;
  const calls = new DirectCalls(async (lines) => {
    const error = failure;
    failure = undefined;
    if (error) throw error;
    writes.push(lines);
  });
  const waiter = (name: string): DirectWaiter => ({
    answered: (result) => heard.push([name, 'answered', result]),
    refused: (error) => heard.push([name, 'refused', error]),
    failed: (error) => heard.push([name, 'failed', error]),
    progressed: (progress) => heard.push([name, 'progressed', progress]),
  });
  return { calls, writes, heard, waiter, failNext: (error) => (failure = error) };
}

function parse(lines: string): unknown[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

test('takes an id that comes back as text for the number that it was', () => {
  const { calls, waiter, heard } = open();
  const id = calls.start({ name: 'a', arguments: {} }, waiter('only'));
  const progress = {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: `${id}`, progress: 1 },
  };
  expect(calls.take(progress as never)).toBe(true);
  expect(calls.take({ jsonrpc: '2.0', id: String(id), result: { ok: 1 } })).toBe(true);
  expect(heard.at(-1)).toEqual(['only', 'answered', { ok: 1 }]);
});

test('its own token for progress is the only one', async () => {
  const { calls, writes, waiter } = open();
  const id = calls.start({ name: 'a', arguments: {}, meta: { progressToken: 'mine', other: 1 } }, waiter('only'));
  await nextTurn();
  expect(writes[0]).toContain(`"_meta":{"progressToken":${id},"other":1}`);
});

test('starts no call whose arguments write themselves as nothing', async () => {
  const { calls, writes, waiter } = open();
  const args = { toJSON: () => undefined };
  expect(() => calls.start({ name: 'a', arguments: args }, waiter('only'))).toThrow(/as nothing/);
  await nextTurn();
  expect(writes).toEqual([]);
});

test("an answer to a call that was cancelled is nobody's", async () => {
  const { calls, waiter, heard } = open();
  const id = calls.start({ name: 'a', arguments: {} }, waiter('gone'));
  await nextTurn();
  expect(calls.cancel(id, 'timeout')).toBe('written');
  expect(calls.take({ jsonrpc: '2.0', id, result: {} })).toBe(false);
  calls.end(new Error('Connection closed'));
  expect(heard).toEqual([]);
});

test('when the channel ends, what was not written yet is known not to be', () => {
  const { calls, waiter, heard } = open();
  calls.start({ name: 'a', arguments: {} }, waiter('unwritten'));
  const unwritten = new NotWrittenError('closed', 'Connection closed');
  calls.end(new Error('Connection closed'), unwritten);
  expect(heard).toEqual([['unwritten', 'failed', unwritten]]);
});
