import { expect, test } from 'vitest';
import { Caller, Hub, McpServer, Session } from '../../src/index.ts';
import type { HubOptions, ToolInvoked } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';
import { faultyServer, healthyServer } from '../hub/servers.ts';

test('a call that succeeds says so and is published once', async () => {
  await using bench = openBench({ servers: [healthyServer('files')] });
  await bench.hub.connect('files');
  const report = await bench.caller.call('mcp__files__add', { a: 2, b: 2 });
  expect(report).toEqual({
    success: true,
    outcome: 'ok',
    message: 'Success',
    content: [{ type: 'text', text: '4' }],
    structuredContent: { sum: 4 },
    callId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    durationMs: expect.any(Number),
  });
  const { callId, durationMs, ...result } = report;
  expect(bench.events).toEqual([
    {
      type: 'tool-invoked',
      at: expect.any(Number),
      callId,
      durationMs,
      result,
      sessionId: bench.session.id,
      name: 'mcp__files__add',
      adapter: 'code',
      params: { a: 2, b: 2 },
      outcome: 'ok',
      source: 'mcp',
      mcpServer: 'files',
    },
  ]);
});

test('a tool that fails is a tool-error with the server text', async () => {
  await using bench = openBench({ servers: [healthyServer('files')] });
  expect(await bench.caller.call({ server: 'files', tool: 'fail' })).toMatchObject({
    success: false,
    outcome: 'tool-error',
    message: 'failed on purpose',
  });
  expect(await bench.caller.call({ server: 'files', tool: 'throw' })).toMatchObject({
    outcome: 'tool-error',
    message: expect.stringContaining('thrown on purpose'),
  });
  expect(bench.outcomes()).toEqual(['tool-error', 'tool-error']);
});

test('an unknown tool, an unknown server and a quarantined tool are invalid', async () => {
  await using bench = openBench({
    servers: [faultyServer('odd', 'duplicate-tools'), faultyServer('bad', 'bad-tool-in-list')],
  });
  await bench.hub.connectAll();
  const quarantined = bench.hub.quarantinedTools('bad')[0]?.tool ?? '';
  const addresses = [
    'mcp__odd__nothing',
    { server: 'odd', tool: 'nothing' },
    { server: 'none', tool: 'echo' },
    { server: 'bad', tool: quarantined },
  ];
  for (const address of addresses)
    expect(await bench.caller.call(address)).toMatchObject({ success: false, outcome: 'invalid' });
  expect(bench.outcomes()).toEqual(['invalid', 'invalid', 'invalid', 'invalid']);
});

test('arguments that cannot be written down are invalid, and nothing is sent', async () => {
  await using bench = openBench({ servers: [healthyServer('files')] });
  const round: Record<string, unknown> = { message: 'round' };
  round['self'] = round;
  for (const args of [round, { message: 'big', big: 1n }]) {
    expect(await bench.caller.call({ server: 'files', tool: 'echo' }, args)).toMatchObject({
      outcome: 'invalid',
      message: expect.stringContaining('cannot be written as JSON'),
    });
  }
  expect(await bench.caller.call({ server: 'files', tool: 'echo' }, { message: 'on' })).toMatchObject({
    outcome: 'ok',
  });
});

test('a server that is switched off, removed or cannot be started is unavailable', async () => {
  await using bench = openBench({
    servers: [healthyServer('files'), McpServer.stdio('missing', 'no-such-command-anywhere')],
  });
  await bench.hub.connect('files');
  bench.hub.toggle('files', false);
  expect(await bench.caller.call({ server: 'files', tool: 'echo' })).toMatchObject({
    outcome: 'unavailable',
    message: expect.stringContaining('switched off'),
  });
  await bench.hub.disconnect('files');
  bench.hub.toggle('files', true);
  expect(await bench.caller.call({ server: 'files', tool: 'echo' })).toMatchObject({
    outcome: 'unavailable',
    message: expect.stringContaining('disconnected'),
  });
  expect(await bench.caller.call({ server: 'missing', tool: 'echo' })).toMatchObject({
    outcome: 'unavailable',
    message: expect.stringContaining('no-such-command-anywhere'),
  });
  expect(bench.outcomes()).toEqual(['unavailable', 'unavailable', 'unavailable']);
});

test('a call whose answer was lost is ambiguous and says that it was not repeated', async () => {
  await using bench = openBench({ servers: [faultyServer('dying', 'crash-on-call')] });
  expect(await bench.caller.call({ server: 'dying', tool: 'echo' }, { message: 'x' })).toMatchObject({
    success: false,
    outcome: 'ambiguous',
    message: expect.stringMatching(/sent and no answer came; it was not repeated/),
  });
  expect(bench.outcomes()).toEqual(['ambiguous']);
});

test('a call that takes too long is a timeout that says it may have run, unless the tool is idempotent', async () => {
  const clock = new ManualClock();
  await using bench = openBench({
    servers: [
      faultyServer('slow', 'hang-on-call'),
      faultyServer('calm', 'hang-on-call', { tool: 'look' }).with({ trust: 'trusted' }),
    ],
    clock,
  });
  await bench.hub.connectAll();
  const risky = bench.caller.call({ server: 'slow', tool: 'echo' }, { message: 'x' });
  const harmless = bench.caller.call({ server: 'calm', tool: 'look' }, { message: 'x' });
  await clock.advance(30_000);
  expect(await risky).toMatchObject({ outcome: 'timeout', message: expect.stringMatching(/30000 ms.*may have run/s) });
  expect(await harmless).toMatchObject({ outcome: 'timeout', message: expect.not.stringContaining('may have run') });
  expect(bench.outcomes()).toEqual(['timeout', 'timeout']);
});

test('a call that its caller gave up is cancelled', async () => {
  await using bench = openBench({ inProcess: { inner: createV2Server() }, servers: [McpServer.sdk('inner')] });
  const giveUp = new AbortController();
  const call = bench.caller.call(
    { server: 'inner', tool: 'slow' },
    { ms: 60_000, steps: 10 },
    { signal: giveUp.signal, onProgress: () => giveUp.abort() },
  );
  expect(await call).toMatchObject({ success: false, outcome: 'cancelled' });
  expect(await bench.caller.call({ server: 'inner', tool: 'echo' }, {}, { signal: AbortSignal.abort() })).toMatchObject(
    { outcome: 'cancelled' },
  );
  expect(bench.outcomes()).toEqual(['cancelled', 'cancelled']);
});

test('a server that is not tracked publishes nothing, and is called all the same', async () => {
  await using bench = openBench({ servers: [healthyServer('quiet', { trackInvocations: false })] });
  expect(await bench.caller.call({ server: 'quiet', tool: 'echo' }, { message: 'x' })).toMatchObject({ outcome: 'ok' });
  expect(bench.events).toEqual([]);
});

test('an event carries no secret, though the result that the agent gets is whole', async () => {
  const secret = 'canary "ü/+= 0123456789';
  await using bench = openBench({ servers: [healthyServer('files', { env: { API_TOKEN: secret } })] });
  const report = await bench.caller.call({ server: 'files', tool: 'env' });
  expect(String(report.content[0]?.['text'])).toContain(JSON.stringify(secret).slice(1, -1));
  expect(JSON.stringify(bench.events)).not.toContain('0123456789');
  const echo = await bench.caller.call({ server: 'files', tool: 'echo' }, { message: secret });
  expect(echo.content).toEqual([{ type: 'text', text: secret }]);
  expect(JSON.stringify(bench.events)).not.toContain('0123456789');
});

interface Bench extends AsyncDisposable {
  readonly hub: Hub;
  readonly caller: Caller;
  readonly session: Session;
  readonly events: ToolInvoked[];
  outcomes(): readonly string[];
}

function openBench(options: HubOptions): Bench {
  const hub = new Hub({ random: () => 0, ...options });
  const session = new Session();
  const events: ToolInvoked[] = [];
  session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
  return {
    hub,
    session,
    events,
    caller: new Caller({ hub, session, ...(options.clock && { clock: options.clock }) }),
    outcomes: () => events.map(({ outcome }) => outcome),
    [Symbol.asyncDispose]: () => hub.close(),
  };
}
