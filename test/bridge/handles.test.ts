import { expect, test } from 'vitest';
import { McpServer } from '../../src/index.ts';
import type { Tool } from '../../src/index.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer, healthyServer } from '../hub/servers.ts';
import { CallBench } from './call-bench.ts';

const OPEN = { type: 'object' };

test('[S1.handles] a handle works across a reconnect, a killed process, a switch and a disconnect', async () => {
  await using bench = new CallBench({ servers: [faultyServer('files', 'healthy')] });
  await bench.hub.connect('files');
  const echo = handleOn(bench, 'echo');
  const works = async (message: string): Promise<unknown> => (await echo.run({ message })).content;
  const answer = (text: string): unknown => [{ type: 'text', text }];
  expect(await works('at first')).toEqual(answer('at first'));

  const { pid: first } = bench.hub.serverStatus('files');
  await bench.hub.reconnect('files');
  expect(bench.hub.serverStatus('files').pid).not.toBe(first);
  expect(await works('after a reconnect')).toEqual(answer('after a reconnect'));

  const { pid: second = 0 } = bench.hub.serverStatus('files');
  process.kill(second, 'SIGKILL');
  await until(() => bench.hub.serverStatus('files').pid !== second, { describe: 'the loss is noticed' });
  expect(await works('after a crash')).toEqual(answer('after a crash'));

  bench.hub.toggle('files', false);
  expect(await echo.run({ message: 'x' })).toMatchObject({ outcome: 'unavailable' });
  bench.hub.toggle('files', true);
  expect(await works('switched on again')).toEqual(answer('switched on again'));

  await bench.hub.disconnect('files');
  expect(await echo.run({ message: 'x' })).toMatchObject({ outcome: 'unavailable' });
  await bench.hub.connect('files');
  expect(await works('connected again')).toEqual(answer('connected again'));
});

test('[S1.handles] a handle works across a change of the list, and a new tool has one, too', async () => {
  await using bench = new CallBench({ servers: [healthyServer('files')] });
  await bench.hub.connect('files');
  const echo = handleOn(bench, 'echo');
  await bench.caller.call({ server: 'files', tool: 'grow' });
  await until(() => bench.caller.tools().some(({ tool }) => tool === 'grown-1'), { describe: 'the list is new' });
  expect(await echo.run({ message: 'old' })).toMatchObject({ content: [{ text: 'old' }] });
  expect(await handleOn(bench, 'grown-1').run()).toMatchObject({ content: [{ text: 'grown-1' }] });
});

test('[S1.handles] a handle works across an HTTP server that was started anew', async () => {
  const first = await startHttpServer('v2-server.mjs');
  await using bench = new CallBench({ servers: [McpServer.http('files', first.url).with({ trust: 'trusted' })] });
  await bench.hub.connect('files');
  const add = handleOn(bench, 'add');
  expect(await add.run({ a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
  await first[Symbol.asyncDispose]();
  await using second = await startHttpServer('v2-server.mjs', { port: first.port });
  expect(second.port).toBe(first.port);
  expect(await add.run({ a: 2, b: 2 })).toMatchObject({ outcome: 'ok', structuredContent: { sum: 4 } });
});

test('[S1.handles] [S1.schema-table] a handle says what the list said; arguments are checked by the list of today', async () => {
  const fields = {
    name: 'move',
    description: 'Moves a thing.',
    inputSchema: { ...OPEN, properties: { from: { type: 'string' } }, required: ['from'] },
    outputSchema: { ...OPEN, properties: { moved: { type: 'boolean' } } },
    annotations: { destructiveHint: true },
  };
  let tools: object[] = [fields];
  const server = new ScriptedServer({
    'tools/list': () => ({ tools }),
    'tools/call': () => ({ content: [], structuredContent: { moved: true } }),
  });
  await using bench = new CallBench({ servers: [McpServer.sdk('shelf')], inProcess: { shelf: server } });
  await bench.hub.connect('shelf');
  const move = handleOn(bench, 'move');
  const { run, ...told } = move;
  expect(told).toEqual({
    name: 'mcp__shelf__move',
    server: 'shelf',
    tool: 'move',
    source: 'mcp',
    trust: 'untrusted',
    description: fields.description,
    inputSchema: fields.inputSchema,
    outputSchema: fields.outputSchema,
    annotations: fields.annotations,
    schemaReport: [],
  });
  expect(await run({ from: 'here' })).toMatchObject({ outcome: 'ok' });

  const changed = { ...fields, inputSchema: { ...OPEN, required: ['to'] } };
  tools = [changed];
  await server.notify('notifications/tools/list_changed');
  await until(() => bench.caller.tool({ server: 'shelf', tool: 'move' })?.inputSchema['required'], {
    describe: 'the tool is known',
  });
  await until(async () => (await run({ to: 'there' })).outcome === 'ok', { describe: 'the new schema counts' });
  expect(await run({ from: 'here' })).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('to') });
});

test('[S1.handles] the handle of a tool that was removed says so, and works again when it comes back', async () => {
  let tools = [
    { name: 'stay', inputSchema: OPEN },
    { name: 'leave', inputSchema: OPEN },
  ];
  const server = new ScriptedServer({ 'tools/list': () => ({ tools }), 'tools/call': () => ({ content: [] }) });
  await using bench = new CallBench({ servers: [McpServer.sdk('shelf')], inProcess: { shelf: server } });
  await bench.hub.connect('shelf');
  const leave = handleOn(bench, 'leave');
  const list = async (names: readonly string[]): Promise<void> => {
    tools = names.map((name) => ({ name, inputSchema: OPEN }));
    await server.notify('notifications/tools/list_changed');
    const describe = 'the list is new';
    await until(() => bench.hub.tools('shelf').length === names.length, { describe });
  };
  await list(['stay']);
  expect(bench.seen(await leave.run())).toMatchObject({
    success: false,
    outcome: 'invalid',
    message: "shelf has no tool called 'leave'",
    events: ['tool-invoked'],
  });
  expect(await handleOn(bench, 'stay').run()).toMatchObject({ outcome: 'ok' });
  await list(['stay', 'leave']);
  expect(await leave.run()).toMatchObject({ outcome: 'ok' });
});

test('[S1.handles] the handle of a server that was removed says so, and finds another of its name', async () => {
  await using bench = new CallBench({ servers: [faultyServer('files', 'healthy')] });
  await bench.hub.connect('files');
  const echo = handleOn(bench, 'echo');
  await bench.hub.setServers([]);
  const removed = { outcome: 'unavailable', message: expect.stringMatching(/^files: was removed, since \d{4}-.*Z$/) };
  expect(await echo.run({ message: 'x' })).toMatchObject(removed);
  expect(await bench.caller.call('mcp__files__echo', { message: 'x' })).toMatchObject(removed);
  await expect(bench.hub.connect('files')).rejects.toMatchObject({ code: 'SERVER_REMOVED' });
  await bench.hub.setServers([faultyServer('files', 'healthy', { another: 'one' })], { connect: false });
  expect(await echo.run({ message: 'y' })).toMatchObject({ outcome: 'ok', content: [{ text: 'y' }] });
  expect(await bench.caller.call('mcp__files__nothing')).toMatchObject({ outcome: 'invalid' });
});

test('a call through a hub that is closed says so, by name too', async () => {
  await using bench = new CallBench({ servers: [faultyServer('files', 'healthy')] });
  await bench.hub.connect('files');
  await bench.hub.close();
  expect(await bench.caller.call('mcp__files__echo', { message: 'x' })).toMatchObject({
    outcome: 'unavailable',
    message: 'the hub is closed',
  });
});

function handleOn(bench: CallBench, tool: string): Tool {
  const handle = bench.caller.tools().find((each) => each.tool === tool);
  if (!handle) throw new Error(`no handle on ${tool}`);
  return handle;
}
