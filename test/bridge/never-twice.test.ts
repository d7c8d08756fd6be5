import { describe, expect, test } from 'vitest';
import { McpServer } from '../../src/index.ts';
import type { ToolAnnotations, Trust } from '../../src/index.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import type { FaultyHttpMode, FaultyHttpOptions } from '../fixtures/servers/faulty-http.mjs';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer } from '../hub/servers.ts';
import { CallBench } from './call-bench.ts';
import type { Seen } from './call-bench.ts';

const KINDS: readonly (readonly [string, ToolAnnotations | undefined, boolean])[] = [
  ['destructive', { readOnlyHint: false, destructiveHint: true }, false],
  ['idempotent', { readOnlyHint: false, idempotentHint: true }, true],
  ['read-only', { readOnlyHint: true }, true],
  ['not annotated', undefined, false],
];
const TRUSTS: readonly Trust[] = ['trusted', 'untrusted'];
const CASES = KINDS.flatMap(([kind, annotations, isRepeatable]) =>
  TRUSTS.map((trust) => ({ kind, annotations, trust, isResent: isRepeatable && trust === 'trusted' })),
);
type Case = (typeof CASES)[number];

const LOST =
  /The call was sent and no answer came; it was not repeated\. It may have run: check its effect before calling it again\.$/;

/** How often a call was carried out whose answer was lost the first time, and how it ended. */
type LoseAnswer = (one: Case) => Promise<{ readonly executions: number; readonly seen: Seen }>;

const stdio =
  (mode: 'crash-on-call' | 'close-stdout'): LoseAnswer =>
  async ({ annotations, trust }) => {
    await using folder = await openTemporaryFolder();
    const once = { times: 1, counter: folder.file('counter') };
    const server = faultyServer('shop', mode, {
      ...once,
      executions: folder.file('executions'),
      ...(annotations && { annotations }),
    });
    await using bench = new CallBench({ servers: [server.with({ trust })] });
    await bench.hub.connect('shop');
    const seen = await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' });
    return { executions: folder.lines('executions').length, seen };
  };

const http =
  (mode: FaultyHttpMode, options: FaultyHttpOptions = {}): LoseAnswer =>
  async ({ annotations, trust }) => {
    await using server = await startFaultyHttp(mode, { ...options, times: 1, ...(annotations && { annotations }) });
    await using bench = new CallBench({ servers: [McpServer.http('shop', server.url).with({ trust })] });
    await bench.hub.connect('shop');
    const seen = await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' });
    return { executions: server.executions.length, seen };
  };

describe.each<readonly [string, LoseAnswer]>([
  ['the process ends', stdio('crash-on-call')],
  ['the process closes its output', stdio('close-stdout')],
  ['the HTTP connection is reset', http('reset', { execute: true })],
  ['the HTTP stream of events is cut', http('sse-cut')],
])('%s after the call was carried out', (_, loseAnswer) => {
  test('[S1.no-double] only what a trusted server calls harmless is sent again, once; the rest is ambiguous', async () => {
    const found = await Promise.all(
      CASES.map(async (one) => {
        const { executions, seen } = await loseAnswer(one);
        const { outcome, read, events, notes } = seen;
        const isTold = LOST.test(read) || read === 'paid';
        return [one.kind, one.trust, { executions, outcome, isTold, events, notes }];
      }),
    );
    const events = ['tool-started', 'tool-invoked'];
    expect(found).toEqual(
      CASES.map(({ kind, trust, isResent }) => [
        kind,
        trust,
        isResent
          ? { executions: 2, outcome: 'ok', isTold: true, events, notes: ['echo'] }
          : { executions: 1, outcome: 'ambiguous', isTold: true, events, notes: [] },
      ]),
    );
  });
});

test('[S1.no-double] a stream that can be resumed gives the lost answer without a second call', async () => {
  await using server = await startFaultyHttp('sse-cut', { resumable: true });
  await using bench = new CallBench({ servers: [McpServer.http('shop', server.url)] });
  await bench.hub.connect('shop');
  expect(await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' })).toMatchObject({
    outcome: 'ok',
    read: 'paid',
  });
  expect(server.executions).toHaveLength(1);
});

test('[S1.no-double] an answer that ends in the middle is a tool-error, and the call is not repeated', async () => {
  const { executions, seen } = await http('truncated-body')({
    kind: 'destructive',
    annotations: { destructiveHint: true },
    trust: 'trusted',
    isResent: false,
  });
  expect([executions, seen.outcome]).toEqual([1, 'tool-error']);
});

test('[S1.no-double] what is harmless is sent no more than twice, and the model is told so', async () => {
  await using folder = await openTemporaryFolder();
  const server = faultyServer('shop', 'crash-on-call', { tool: 'look', executions: folder.file('executions') });
  await using bench = new CallBench({ servers: [server.with({ trust: 'trusted' })] });
  const { outcome, read } = await bench.see({ server: 'shop', tool: 'look' }, { message: 'x' });
  expect([outcome, folder.lines('executions').length]).toEqual(['ambiguous', 2]);
  expect(read).toMatch(/The call was sent and no answer came\. It does no harm to call it again\.$/);
  expect(read).not.toContain('not repeated');
});

describe('[S1.no-double] the connection is lost before anything was written', () => {
  test('to a process that has ended: a new one gets the call, once', async () => {
    await using folder = await openTemporaryFolder();
    const executions = folder.file('executions');
    await using bench = new CallBench({ servers: [faultyServer('shop', 'healthy', { executions })] });
    const { pid = 0 } = await bench.hub.connect('shop');
    process.kill(pid, 'SIGKILL');
    await until(() => bench.hub.serverStatus('shop').pid !== pid, { describe: 'the loss is noticed' });
    expect(await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' })).toMatchObject({
      outcome: 'ok',
      read: 'paid',
      events: ['tool-started', 'tool-invoked'],
    });
    expect(folder.lines('executions')).toHaveLength(1);
  });

  test('to an HTTP server that came back: it gets the call, once', async () => {
    const first = await startFaultyHttp('healthy');
    await using bench = new CallBench({ servers: [McpServer.http('shop', first.url)] });
    await bench.hub.connect('shop');
    await first.close();
    await using second = await startFaultyHttp('healthy', { port: first.port });
    // The new server does not know the session, and says so before it carries anything out.
    const seen = await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' });
    const executions = first.executions.length + second.executions.length;
    expect([seen.outcome, executions]).toEqual(seen.outcome === 'ok' ? ['ok', 1] : ['ambiguous', 0]);
  });

  test('to an HTTP server that is gone: nothing was carried out, and the call is unavailable', async () => {
    const server = await startFaultyHttp('healthy');
    await using bench = new CallBench({ servers: [McpServer.http('shop', server.url)] });
    await bench.hub.connect('shop');
    await bench.hub.disconnect('shop');
    await server.close();
    await expect(bench.hub.connect('shop')).rejects.toThrow(/cannot be reached/);
    expect(await bench.see({ server: 'shop', tool: 'echo' }, { message: 'paid' })).toMatchObject({
      outcome: 'unavailable',
      events: ['tool-invoked'],
    });
    expect(server.executions).toEqual([]);
  });
});
