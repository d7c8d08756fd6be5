import { expect, test } from 'vitest';
import { McpProxy } from '../../src/bridge/mcp-proxy.ts';
import type { ProxiedMcpServer } from '../../src/bridge/mcp-proxy.ts';
import { Hub, PatternPolicy, RateLimitPolicy, SequentialDependencyPolicy, Session } from '../../src/index.ts';
import type { ToolInvoked, ToolPolicy, ToolStarted } from '../../src/index.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';

const FREEZE: ToolPolicy = {
  name: 'freeze',
  check: ({ tool, arguments: { message } }) =>
    tool.tool === 'echo' && message === 'secret' ? { kind: 'deny', reason: 'Nobody says that.' } : { kind: 'allow' },
};

test('[S2.proxy] a call dispatches {server}:{tool} and gives the result', async () => {
  await using bench = await openBench({});
  const report = await bench.proxy.callTool('files', 'echo', { message: 'hello' });
  expect(report).toMatchObject({ success: true, outcome: 'ok', content: [{ type: 'text', text: 'hello' }] });
  expect(bench.started.map(({ name }) => name)).toEqual(['files:echo']);
  expect(bench.events).toMatchObject([
    {
      name: 'files:echo',
      adapter: 'proxy',
      params: { message: 'hello' },
      outcome: 'ok',
      source: 'mcp',
      mcpServer: 'files',
      callId: report.callId,
    },
  ]);
});

test.each<[string, ToolPolicy, string]>([
  [
    'a pattern',
    new PatternPolicy({ deny: ['echo'] }),
    "Refused: 'files/echo' matches 'echo' in the policy 'patterns'.",
  ],
  ['the arguments', FREEZE, 'Nobody says that.'],
  ['what has not happened yet', new SequentialDependencyPolicy({ echo: ['look'] }), "Tool 'echo' requires: look"],
])('[S2.proxy] a call that is denied by %s contacts nothing: no process is started', async (_, policy, reason) => {
  await using bench = await openBench({ policies: [new RateLimitPolicy({ calls: 5, windowMs: 1000 }), policy] });
  expect(await bench.proxy.callTool('files', 'echo', { message: 'secret' })).toMatchObject({
    success: false,
    outcome: 'denied',
    message: reason,
  });
  expect([...bench.folder.lines('starts'), ...bench.folder.lines('received')]).toEqual([]);
  expect(bench.started).toEqual([]);
  expect(bench.events).toMatchObject([{ name: 'files:echo', outcome: 'denied', mcpServer: 'files' }]);
});

test('[S2.proxy] a policy that needs the annotations is asked once they are known, and nothing is called', async () => {
  const policy: ToolPolicy = {
    name: 'harmless',
    check: ({ tool }) =>
      tool.annotations?.readOnlyHint ? { kind: 'allow' } : { kind: 'deny', reason: 'It may change something.' },
  };
  await using bench = await openBench({ policies: [policy] });
  expect(await bench.proxy.callTool('files', 'look', { message: 'x' })).toMatchObject({ outcome: 'ok' });
  expect(await bench.proxy.callTool('files', 'echo', { message: 'x' })).toMatchObject({ outcome: 'denied' });
  expect(bench.folder.lines('executions')).toHaveLength(1);
});

test('[S2.proxy] a policy is asked once for a call, whether or not the tool was known', async () => {
  const asked: string[] = [];
  const note: ToolPolicy = {
    name: 'note',
    check: ({ tool }) => {
      asked.push(tool.tool);
      return { kind: 'allow' };
    },
  };
  await using bench = await openBench({ policies: [note, new RateLimitPolicy({ calls: 2, windowMs: 60_000 })] });
  const outcomes: string[] = [];
  for (const message of ['one', 'two', 'three']) {
    outcomes.push((await bench.proxy.callTool('files', 'echo', { message })).outcome);
  }
  expect(outcomes).toEqual(['ok', 'ok', 'denied']);
  expect(asked).toEqual(['echo', 'echo', 'echo']);
});

test('[S2.proxy] one client per server is made, on the first call', async () => {
  await using bench = await openBench({});
  expect(bench.folder.lines('starts')).toEqual([]);
  await Promise.all([1, 2, 3].map((n) => bench.proxy.callTool('files', 'echo', { message: String(n) })));
  await bench.proxy.callTool('files', 'look', { message: 'x' });
  const methods = bench.folder.lines('received').map((line) => (JSON.parse(line) as { method: string }).method);
  expect(bench.folder.lines('starts')).toEqual(['started']);
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(4);
});

test('[S2.proxy] events can be switched off per server, for calls that fail too', async () => {
  await using bench = await openBench({ dispatchEvents: false, policies: [new PatternPolicy({ deny: ['look'] })] });
  expect(await bench.proxy.callTool('files', 'look', { message: 'x' })).toMatchObject({ outcome: 'denied' });
  expect(await bench.proxy.callTool('files', 'nothing')).toMatchObject({ outcome: 'invalid' });
  expect(await bench.proxy.callTool('files', 'echo', { message: 'x' })).toMatchObject({ outcome: 'ok' });
  expect([...bench.started, ...bench.events]).toEqual([]);
});

test('a deadline that has passed starts nothing', async () => {
  await using bench = await openBench({});
  const address = { server: 'files', tool: 'echo' };
  expect(await bench.proxy.caller.call(address, { message: 'x' }, { deadline: 1 })).toMatchObject({
    outcome: 'timeout',
    message: expect.stringContaining('was not sent'),
  });
  expect(bench.folder.lines('starts')).toEqual([]);
});

test('a server that nobody declared is invalid', async () => {
  await using bench = await openBench({});
  expect(await bench.proxy.callTool('none', 'echo')).toMatchObject({
    outcome: 'invalid',
    message: expect.stringContaining("no server is called 'none'"),
  });
  expect(bench.events).toMatchObject([{ name: 'none:echo', outcome: 'invalid' }]);
});

test('a long result comes whole, because nothing here could read on', async () => {
  await using bench = await openBench({});
  const message = 'x'.repeat(150_000);
  const report = await bench.proxy.callTool('files', 'echo', { message });
  expect(report.content).toEqual([{ type: 'text', text: message }]);
});

test('proxies over one hub share the process, and closing one leaves it to the other', async () => {
  await using folder = await openTemporaryFolder();
  await using hub = new Hub();
  const servers = [recordingServer(folder, {})];
  const proxies = [1, 2].map(() => new McpProxy({ servers, hub, session: new Session() }));
  for (const proxy of proxies) await proxy.callTool('files', 'echo', { message: 'x' });
  await proxies[0]?.close();
  expect(await proxies[1]?.callTool('files', 'echo', { message: 'still here' })).toMatchObject({ outcome: 'ok' });
  expect(folder.lines('starts')).toEqual(['started']);
});

test('a proxy without a hub closes its own', async () => {
  await using folder = await openTemporaryFolder();
  const proxy = new McpProxy({ servers: [recordingServer(folder, {})], session: new Session() });
  expect(await proxy.callTool('files', 'echo', { message: 'x' })).toMatchObject({ outcome: 'ok' });
  await proxy.close();
  await proxy.close();
  expect(await proxy.callTool('files', 'echo', { message: 'x' })).toMatchObject({ success: false });
});

interface Bench extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly hub: Hub;
  readonly proxy: McpProxy;
  readonly events: ToolInvoked[];
  readonly started: ToolStarted[];
}

function recordingServer(folder: TemporaryFolder, fields: Partial<ProxiedMcpServer>): ProxiedMcpServer {
  const { command, args } = faulty('healthy', {
    received: folder.file('received'),
    executions: folder.file('executions'),
  });
  const script = 'echo started >> "$0"; exec "$@"';
  return { name: 'files', command: 'sh', args: ['-c', script, folder.file('starts'), command, ...args], ...fields };
}

/** A proxy in front of a server that writes down that it was started, and whatever reaches it. */
async function openBench(fields: Partial<ProxiedMcpServer>): Promise<Bench> {
  const folder = await openTemporaryFolder();
  const hub = new Hub({ random: () => 0 });
  const session = new Session();
  const events: ToolInvoked[] = [];
  const started: ToolStarted[] = [];
  session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
  session.dispatcher.subscribe('tool-started', (event) => started.push(event));
  return {
    folder,
    hub,
    events,
    started,
    proxy: new McpProxy({ servers: [recordingServer(folder, fields)], session, hub }),
    async [Symbol.asyncDispose]() {
      await hub.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
