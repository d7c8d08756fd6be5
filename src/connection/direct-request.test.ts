import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { Scrubber } from '../redaction.ts';
import { DirectCalls } from '../transport/direct-calls.ts';
import { NotWrittenError } from '../transport/live-transport.ts';
import { DeadlineSet } from './deadline-set.ts';
import { DirectRequest } from './direct-request.ts';
import type { RequestOptions } from './protocol-request.ts';
import { RequestError } from './request-failure.ts';

const REQUEST = {
  method: 'tools/call',
  params: { name: 'echo', arguments: {} },
  parse: (result: JsonObject) => result,
};

/** A channel that fails as it is told, and requests over it. */
class Bench {
  readonly clock = new ManualClock();
  readonly deadlines = new DeadlineSet(this.clock);
  readonly sent: string[] = [];
  readonly calls: DirectCalls;

  constructor(failure?: Error) {
    this.calls = new DirectCalls(async (lines) => {
      if (failure) throw failure;
      this.sent.push(...lines.trimEnd().split('\n'));
    });
  }

  ask(options: Partial<RequestOptions> = {}, parse = REQUEST.parse): Promise<unknown> {
    const { calls, clock, deadlines } = this;
    const context = { calls, clock, deadlines, scrubber: new Scrubber() };
    const request = new DirectRequest(
      context,
      { ...REQUEST, parse },
      { timeoutMs: 1_000, maxTotalMs: 3_000, ...options },
    );
    return request.answer.catch((error: unknown) => (error instanceof RequestError ? error.failure : error));
  }

  async idOfLast(): Promise<number> {
    await new Promise((resolve) => void setImmediate(resolve));
    const requests = this.sent.map((line) => JSON.parse(line) as { id?: number }).filter(({ id }) => id !== undefined);
    return requests.at(-1)?.id ?? 0;
  }

  get methods(): readonly unknown[] {
    return this.sent.map((line) => (JSON.parse(line) as { method: unknown }).method);
  }
}

test('a write that broke in the middle may have been read; only one that never began is known not to', async () => {
  expect(await new Bench(new Error('broken pipe')).ask()).toEqual({ kind: 'no-answer', detail: 'broken pipe' });
  expect(await new Bench(new NotWrittenError('closed', 'gone')).ask()).toEqual({
    kind: 'not-written',
    reason: 'closed',
    detail: 'gone',
  });
});

test('progress begins the time anew, up to the hard maximum', async () => {
  const bench = new Bench();
  const asked = bench.ask();
  const id = await bench.idOfLast();
  for (let times = 0; times < 3; times += 1) {
    await bench.clock.advance(900);
    const params = { progressToken: id, progress: times };
    expect(bench.calls.take({ jsonrpc: '2.0', method: 'notifications/progress', params })).toBe(true);
  }
  await bench.clock.advance(300);
  expect(await asked).toEqual({ kind: 'timeout', afterMs: 3_000 });
  await bench.idOfLast();
  expect([bench.methods, bench.clock.pending]).toEqual([['tools/call', 'notifications/cancelled'], 0]);
});

test('without progress it ends at its timeout, and an answer that comes then is nobody’s', async () => {
  const bench = new Bench();
  const asked = bench.ask();
  const id = await bench.idOfLast();
  await bench.clock.advance(1_000);
  expect(await asked).toEqual({ kind: 'timeout', afterMs: 1_000 });
  expect(bench.calls.take({ jsonrpc: '2.0', id, result: {} })).toBe(false);
});

test('one that is cancelled before it was written says so, and never is', async () => {
  const bench = new Bench();
  const giveUp = new AbortController();
  const asked = bench.ask({ signal: giveUp.signal, onSent: () => giveUp.abort() });
  expect(await asked).toEqual({ kind: 'cancelled', isUnsent: true });
  await bench.idOfLast();
  expect([bench.sent, bench.clock.pending]).toEqual([[], 0]);
});

test('one that is cancelled later may have run, and its server is told', async () => {
  const bench = new Bench();
  const giveUp = new AbortController();
  const asked = bench.ask({ signal: giveUp.signal });
  await bench.idOfLast();
  giveUp.abort();
  expect(await asked).toEqual({ kind: 'cancelled' });
  await bench.idOfLast();
  expect(bench.methods).toEqual(['tools/call', 'notifications/cancelled']);
});

test('listeners that throw do not matter', async () => {
  const bench = new Bench();
  const broken = (): never => {
    throw new Error('a listener of somebody');
  };
  const asked = bench.ask({ onSent: broken, onProgress: broken });
  const id = await bench.idOfLast();
  bench.calls.take({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } });
  bench.calls.take({ jsonrpc: '2.0', id, result: { ok: true } });
  expect(await asked).toEqual({ ok: true });
});

test('a result that cannot be read is invalid, and the end of the conversation ends what waits', async () => {
  const bench = new Bench();
  const unread = bench.ask({}, () => {
    throw new TypeError('content is null');
  });
  const id = await bench.idOfLast();
  bench.calls.take({ jsonrpc: '2.0', id, result: {} });
  expect(await unread).toEqual({ kind: 'invalid-result', detail: 'Invalid result for tools/call: content is null' });
  const cut = bench.ask();
  await bench.idOfLast();
  bench.deadlines.closeAll();
  expect(await cut).toEqual({ kind: 'no-answer', detail: 'the connection was ended' });
  const unsent = bench.ask();
  bench.deadlines.closeAll();
  expect(await unsent).toEqual({ kind: 'not-written', reason: 'closed', detail: 'the connection was ended' });
  expect(bench.clock.pending).toBe(0);
});
