import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import type { Progress } from '../../src/index.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import type { HttpServerProcess } from '../fixtures/start-http-server.ts';
import { faultyServer, healthyServer } from '../hub/servers.ts';
import { CallSeat, Gate, nativeTool } from './call-bench.ts';

describe.each(['stdio', 'http'] as const)('over %s', (kind) => {
  let hub: Hub;
  let web: HttpServerProcess | undefined;
  beforeAll(async () => {
    if (kind === 'http') web = await startHttpServer('v2-server.mjs');
    hub = new Hub({ servers: [web ? McpServer.http('files', web.url) : healthyServer('files')] });
    await hub.connect('files');
  });
  afterAll(async () => {
    await hub.close();
    await web?.[Symbol.asyncDispose]();
  });

  test('[S1.stream] progress reaches the caller while the call runs, in order', async () => {
    const seat = new CallSeat(hub);
    const seen: Progress[] = [];
    const first = new Gate();
    let hasEnded = false;
    const call = seat.caller.call(
      { server: 'files', tool: 'slow' },
      { ms: 300, steps: 3 },
      {
        onProgress: (progress) => {
          seen.push(progress);
          first.open();
        },
      },
    );
    void call.then(() => (hasEnded = true));
    await first.passed;
    expect(hasEnded).toBe(false);
    expect(await call).toMatchObject({ outcome: 'ok', content: [{ text: 'waited 300 ms' }] });
    expect(seen).toMatchObject([
      { progress: 1, total: 3 },
      { progress: 2, total: 3 },
      { progress: 3, total: 3 },
    ]);
  });

  test('[S1.async] a slow call blocks no other of the same server', async () => {
    const seat = new CallSeat(hub);
    const giveUp = new AbortController();
    const running = new Gate();
    const slow = seat.caller.call(
      { server: 'files', tool: 'slow' },
      { ms: 60_000, steps: 1 },
      { signal: giveUp.signal, onProgress: () => running.open() },
    );
    await running.passed;
    const quick = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        seat.caller.call({ server: 'files', tool: 'add' }, { a: number, b: 1 }),
      ),
    );
    expect(quick.map(({ structuredContent }) => structuredContent)).toEqual(
      Array.from({ length: 20 }, (_, number) => ({ sum: number + 1 })),
    );
    giveUp.abort();
    expect(await slow).toMatchObject({ outcome: 'cancelled' });
  });

  test('a listener to progress that throws harms neither its call nor another', async () => {
    const seat = new CallSeat(hub);
    const onProgress = (): void => {
      throw new Error('no interest');
    };
    const slow = { server: 'files', tool: 'slow' };
    const calls = [1, 2].map(() => seat.caller.call(slow, { ms: 30, steps: 3 }, { onProgress }));
    expect((await Promise.all(calls)).map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
  });
});

test('[S1.async] a server that never answers, or that cannot be started, blocks no other server and no native tool', async () => {
  await using hub = new Hub({
    servers: [
      faultyServer('hanging', 'hang-on-call'),
      faultyServer('mute', 'silent'),
      faultyServer('healthy', 'healthy'),
    ],
  });
  const seat = new CallSeat(hub, { tools: [nativeTool('greet', () => 'hello')] });
  const giveUp = new AbortController();
  const stuck = ['hanging', 'mute'].map((server) =>
    seat.caller.call({ server, tool: 'echo' }, { message: 'x' }, { signal: giveUp.signal }),
  );
  expect(await seat.see({ server: 'healthy', tool: 'echo' }, { message: 'y' })).toMatchObject({
    outcome: 'ok',
    read: 'y',
  });
  expect(await seat.see('greet')).toMatchObject({ outcome: 'ok', read: 'hello' });
  giveUp.abort();
  expect((await Promise.all(stuck)).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
});

test('[S1.stream] a native tool tells how far it is while it runs', async () => {
  const seen: Progress[] = [];
  const goOn = new Gate();
  const count = nativeTool('count', async (_, { progress }) => {
    progress({ progress: 1, total: 2, message: 'halfway' });
    await goOn.passed;
    progress({ progress: 2, total: 2 });
    return 'counted';
  });
  const seat = new CallSeat(new Hub(), { tools: [count] });
  const call = seat.caller.call('count', {}, { onProgress: (progress) => seen.push(progress) });
  await new Promise(setImmediate);
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'halfway' }]);
  goOn.open();
  expect(await call).toMatchObject({ outcome: 'ok' });
  expect(seen).toHaveLength(2);
  const onProgress = (): void => {
    throw new Error('no interest');
  };
  expect(await seat.caller.call('count', {}, { onProgress })).toMatchObject({ outcome: 'ok' });
});
