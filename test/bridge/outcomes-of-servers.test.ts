import { describe, expect, test } from 'vitest';
import { McpServer } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer, healthyServer } from '../hub/servers.ts';
import { CallBench } from './call-bench.ts';
import type { Seen } from './call-bench.ts';
import { ECHO, failed, OK, refused } from './seen-outcomes.ts';

test('[S1.fail-unknown-tool] invalid: a tool that is held back says why', async () => {
  await using bench = new CallBench({ servers: [faultyServer('odd', 'weird-names')] });
  await bench.hub.connect('odd');
  const { tool = '', reason = '' } = bench.hub.quarantinedTools('odd')[0] ?? {};
  expect(reason).not.toBe('');
  expect(await bench.see({ server: 'odd', tool })).toEqual(
    refused('invalid', `odd: ${tool} is quarantined: ${reason}`),
  );
});

test('[S1.result-map] tool-error: a result that cannot be used, or is too large, says what was wrong', async () => {
  await using bench = new CallBench({
    servers: [faultyServer('null', 'null-result'), faultyServer('big', 'huge-result')],
  });
  await bench.hub.connectAll();
  expect(await bench.see({ server: 'null', tool: 'echo' }, { message: 'x' })).toEqual(
    failed('tool-error', expect.stringMatching(/^null: echo: .*result/)),
  );
  expect(await bench.see({ server: 'big', tool: 'echo' }, { message: 'x' })).toEqual(
    failed('tool-error', expect.stringMatching(/^big: echo: .*(large|bytes|MB)/)),
  );
});

test('[S1.fail-timeout] [S1.result-map] timeout: after how long, and that it may have run unless it is harmless', async () => {
  const clock = new ManualClock();
  await using bench = new CallBench({
    servers: [
      faultyServer('slow', 'hang-on-call'),
      faultyServer('calm', 'hang-on-call', { tool: 'look' }).with({ trust: 'trusted' }),
    ],
    clock,
  });
  await bench.hub.connectAll();
  const calls = [
    bench.see({ server: 'slow', tool: 'echo' }, { message: 'x' }, { timeoutMs: 7_000 }),
    bench.see({ server: 'calm', tool: 'look' }, { message: 'x' }, { deadline: clock.now() + 7_000 }),
  ];
  await clock.advance(7_000);
  expect(await Promise.all(calls)).toEqual([
    failed(
      'timeout',
      'slow: echo gave no answer within 7000 ms. It may have run all the same: check its effect before calling it again.',
    ),
    failed('timeout', 'calm: look gave no answer within 7000 ms'),
  ]);
});

test('timeout: the deadline holds while the server of an unknown tool is started', async () => {
  const clock = new ManualClock();
  await using bench = new CallBench({ servers: [faultyServer('mute', 'silent')], clock });
  const call = bench.see({ server: 'mute', tool: 'echo' }, { message: 'x' }, { deadline: clock.now() + 5_000 });
  await clock.advance(5_000);
  expect(await call).toEqual(refused('unavailable', expect.stringContaining('not connected within 5000 ms')));
});

test('[S1.fail-crash] ambiguous: sent, not answered, not repeated; the process is gone and the next call works', async () => {
  await using folder = await openTemporaryFolder();
  await using bench = new CallBench({
    servers: [faultyServer('dying', 'crash-on-call', { times: 1, counter: folder.file('counter') })],
  });
  const { pid = 0 } = await bench.hub.connect('dying');
  const lost: unknown[] = [];
  bench.hub.on('server-disconnected', (event) => lost.push(event));
  const message =
    'The call was sent and no answer came; it was not repeated. It may have run: check its effect before calling it again.';
  expect(await bench.see({ server: 'dying', tool: 'echo' }, { message: 'x' })).toEqual(
    failed('ambiguous', expect.stringMatching(new RegExp(`^dying: echo: .*${message}$`))),
  );
  await until(() => !isAlive(pid), { describe: 'the process is gone' });
  expect(lost).toEqual([
    expect.objectContaining({ server: 'dying', error: expect.stringContaining('crashing in a call') }),
  ]);
  expect(await bench.see({ server: 'dying', tool: 'echo' }, { message: 'y' })).toMatchObject({
    outcome: 'ok',
    read: 'y',
  });
});

test('[S1.fail-crash] a server that does not come back carries its error in its status, and calls are unavailable', async () => {
  await using folder = await openTemporaryFolder();
  await using bench = new CallBench({
    servers: [faultyServer('dying', 'exit-n-times', { times: 99, counter: folder.file('counter') })],
  });
  expect(await bench.see({ server: 'dying', tool: 'echo' }, { message: 'x' })).toEqual(
    refused('unavailable', expect.stringMatching(/^dying: is not available \(failed: .*\), since \d{4}-/)),
  );
  expect(bench.hub.serverStatus('dying')).toMatchObject({ status: 'failed', errorCode: 'SERVER_EXITED' });
});

describe('unavailable', () => {
  test('switched off, disconnected: which server, its state, since when; nothing is sent', async () => {
    const clock = new ManualClock();
    await using bench = new CallBench({ servers: [healthyServer('files')], clock });
    await bench.hub.connect('files');
    await clock.advance(1_000);
    bench.hub.toggle('files', false);
    expect(await bench.see(ECHO, { message: 'x' })).toEqual(
      refused('unavailable', 'files: is switched off, since 2026-01-01T00:00:01.000Z; toggle it on to use it'),
    );
    bench.hub.toggle('files', true);
    const gone = bench.hub.disconnect('files');
    await clock.advance(10_000);
    await gone;
    expect(await bench.see(ECHO, { message: 'x' })).toEqual(
      refused('unavailable', 'files: is not available (disconnected), since 2026-01-01T00:00:01.000Z'),
    );
  });

  test('cannot be started: the cause', async () => {
    await using bench = new CallBench({ servers: [McpServer.stdio('missing', 'no-such-command-anywhere')] });
    expect(await bench.see({ server: 'missing', tool: 'echo' })).toEqual(
      refused('unavailable', expect.stringMatching(/^missing: is not available \(failed: .*no-such-command-anywhere/)),
    );
  });

  test('removed while the server was being started', async () => {
    const clock = new ManualClock();
    await using bench = new CallBench({ servers: [faultyServer('mute', 'silent')], clock });
    const call = bench.see({ server: 'mute', tool: 'echo' }, { message: 'x' });
    await clock.advance(0);
    const removed = bench.hub.setServers([]);
    await clock.advance(10_000);
    await removed;
    expect(await call).toEqual(refused('unavailable', 'mute: was removed while it was being used'));
  });

  test('overloaded: the call that is one too many is not sent', async () => {
    await using folder = await openTemporaryFolder();
    await using bench = new CallBench({
      servers: [faultyServer('slow', 'hang-on-call', { received: folder.file('received') })],
      limits: { pendingCalls: 1 },
    });
    await bench.hub.connect('slow');
    const giveUp = new AbortController();
    const first = bench.see({ server: 'slow', tool: 'echo' }, { message: 'first' }, { signal: giveUp.signal });
    expect(await bench.see({ server: 'slow', tool: 'echo' }, { message: 'second' })).toEqual(
      refused('unavailable', 'slow: echo: 1 calls are waiting for this server already'),
    );
    giveUp.abort();
    await first;
    expect(folder.lines('received').filter((line) => line.includes('second'))).toEqual([]);
  });

  test('not reachable any more over HTTP: nothing was sent', async () => {
    const server = await startFaultyHttp('healthy');
    await using bench = new CallBench({ servers: [McpServer.http('web', server.url)] });
    await bench.hub.connect('web');
    await server.close();
    // The end of the connection must have arrived, or nobody can tell whether the call did.
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(await bench.see({ server: 'web', tool: 'echo' }, { message: 'x' })).toMatchObject({
      success: false,
      outcome: 'unavailable',
      message: expect.stringMatching(/^web: .*not available/),
      notes: [],
    });
    expect(server.executions).toEqual([]);
    expect(bench.eventsOf('tool-invoked')).toHaveLength(1);
  });

  test('a hub that is closed', async () => {
    const bench = new CallBench({ servers: [healthyServer('files')] });
    const handle = bench.caller.tool(ECHO) ?? { run: () => bench.caller.call(ECHO) };
    await bench.hub.close();
    expect(bench.seen(await handle.run())).toEqual(refused('unavailable', 'the hub is closed'));
  });
});

test('[S1.handler] over HTTP a call ends as it does over stdio', async () => {
  await using server = await startHttpServer('v2-server.mjs');
  await using bench = new CallBench({ servers: [McpServer.http('web', server.url)] });
  await bench.hub.connect('web');
  const call = (tool: string, args = {}): Promise<Seen> => bench.see({ server: 'web', tool }, args);
  expect(await call('fail')).toEqual(failed('tool-error', 'failed on purpose'));
  expect(await call('throw')).toEqual(failed('tool-error', 'thrown on purpose'));
  expect(await call('add', { a: 'one' })).toMatchObject({ outcome: 'invalid', events: ['tool-invoked'] });
  expect(await call('add', { a: 1, b: 1 })).toEqual({ ...OK, read: '2', notes: ['add'] });
});

test('a server that is not tracked publishes neither the start nor the end of a call', async () => {
  await using bench = new CallBench({ servers: [healthyServer('quiet', { trackInvocations: false })] });
  expect(await bench.see({ server: 'quiet', tool: 'echo' }, { message: 'x' })).toMatchObject({
    outcome: 'ok',
    events: [],
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
