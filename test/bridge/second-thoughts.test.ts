import { expect, test } from 'vitest';
import { ALLOW, Hub, McpServer } from '../../src/index.ts';
import type { ToolPolicy } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer } from '../hub/servers.ts';
import { CallBench, Gate, nativeTool } from './call-bench.ts';

/** A policy that thinks until it is told to go on. */
function thinker(): { readonly policy: ToolPolicy; readonly isAsked: Promise<void>; answer(): void } {
  const asked = new Gate();
  const answer = new Gate();
  const check = async (): Promise<typeof ALLOW> => {
    asked.open();
    await answer.passed;
    return ALLOW;
  };
  return { policy: { name: 'thinker', check }, isAsked: asked.passed, answer: () => answer.open() };
}

test('a call that is given up while a policy thinks is cancelled, not denied, and does not run', async () => {
  const { policy, isAsked } = thinker();
  const runs: unknown[] = [];
  await using bench = new CallBench({
    caller: { policies: [policy], tools: [nativeTool('run', (args) => void runs.push(args))] },
  });
  const giveUp = new AbortController();
  const call = bench.see('run', {}, { signal: giveUp.signal });
  await isAsked;
  giveUp.abort();
  expect(await call).toMatchObject({
    outcome: 'cancelled',
    message: 'run was cancelled by its caller before it was sent',
    events: ['tool-invoked'],
  });
  expect(runs).toEqual([]);
});

test('a deadline that passes while a policy thinks sends nothing', async () => {
  const { policy, isAsked, answer } = thinker();
  const clock = new ManualClock();
  const runs: unknown[] = [];
  await using bench = new CallBench({
    clock,
    caller: { policies: [policy], tools: [nativeTool('run', (args) => void runs.push(args))] },
  });
  const call = bench.see('run', {}, { deadline: clock.now() + 1_000 });
  await isAsked;
  await clock.advance(1_000);
  answer();
  expect(await call).toMatchObject({
    outcome: 'timeout',
    message: 'run was not sent: the deadline of the whole work has passed',
    events: ['tool-invoked'],
  });
  expect(runs).toEqual([]);
});

test('a native call that is part of another one publishes neither event', async () => {
  await using bench = new CallBench({ caller: { tools: [nativeTool('run', () => 'done')] } });
  expect(await bench.see('run', {}, { isPart: true })).toMatchObject({ outcome: 'ok', events: [] });
});

test('the deadline holds however much progress is reported', async () => {
  const clock = new ManualClock();
  await using bench = new CallBench({ servers: [faultyServer('busy', 'progress-forever', { everyMs: 5 })], clock });
  await bench.hub.connect('busy');
  let reports = 0;
  const call = bench.see(
    { server: 'busy', tool: 'echo' },
    { message: 'x' },
    { deadline: clock.now() + 5_000, onProgress: () => void (reports += 1) },
  );
  for (let seconds = 0; seconds < 5; seconds += 1) {
    const before = reports;
    await until(() => reports > before, { describe: 'progress is reported' });
    await clock.advance(1_000);
  }
  expect(await call).toMatchObject({ outcome: 'timeout', message: expect.stringContaining('within 5000 ms') });
});

test('the time in which a server starts is part of the time that a call has', async () => {
  const clock = new ManualClock();
  const started = new Gate();
  const called = new Gate();
  const server = new ScriptedServer({
    'tools/list': async () => {
      await started.passed;
      return { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
    },
    'tools/call': () => {
      called.open();
      return new Promise(() => undefined);
    },
  });
  await using hub = new Hub({ servers: [McpServer.sdk('late', server)], clock });
  const call = hub.callTool('late', 'wait', { timeoutMs: 60_000, maxTotalMs: 5_000 });
  const failure = expect(call).rejects.toMatchObject({ code: 'CALL_TIMEOUT' });
  await settle();
  await clock.advance(3_000);
  started.open();
  await called.passed;
  await clock.advance(2_000);
  await failure;
});

test('a call whose time is over before its server has come back is not sent again', async () => {
  const clock = new ManualClock();
  const back = new Gate();
  const started: ScriptedServer[] = [];
  const start = (): ScriptedServer => {
    const isFirst = started.length === 0;
    const server: ScriptedServer = new ScriptedServer({
      'tools/list': async () => {
        if (!isFirst) await back.passed;
        const annotations = { readOnlyHint: true };
        return { tools: [{ name: 'look', inputSchema: { type: 'object' }, annotations }] };
      },
      'tools/call': async () => {
        if (!isFirst) return { content: [] };
        await server.close();
        return new Promise(() => undefined);
      },
    });
    started.push(server);
    return server;
  };
  const declared = McpServer.sdk('gone', start, { trust: 'trusted' });
  await using hub = new Hub({ servers: [declared], clock, random: () => 0 });
  await hub.connect('gone');
  const call = hub.callTool('gone', 'look', { timeoutMs: 60_000, maxTotalMs: 5_000 });
  const failure = expect(call).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS' });
  await until(() => started[1]?.requested.includes('tools/list') ?? false, { describe: 'the server is coming back' });
  await clock.advance(6_000);
  back.open();
  await failure;
  expect(started[1]?.requested).not.toContain('tools/call');
});
