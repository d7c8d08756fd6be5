import { expect, test } from 'vitest';
import { wrapTool } from '../../src/bridge/wrap-tool.ts';
import type { WrapOptions } from '../../src/bridge/wrap-tool.ts';
import { Caller, Hub, McpServer, PatternPolicy, Session } from '../../src/index.ts';
import type { CallReport, ToolInvoked, ToolPolicy } from '../../src/index.ts';
import { defineSlice } from '../../src/session/slice.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';

const notes = defineSlice<string>({ name: 'notes' });

test('[S2.wrap] a wrapped tool takes the place of the bare one, and calls it', async () => {
  await using bench = await openBench('add', {});
  expect(await bench.caller.call('mcp__files__add', { a: 2, b: 3 })).toMatchObject({
    outcome: 'ok',
    content: [{ type: 'text', text: '5' }],
    structuredContent: { sum: 5 },
  });
  const told = bench.events.map(({ name, source, outcome }) => ({ name, source, outcome }));
  expect(told).toEqual([
    { name: 'mcp__files__add', source: 'mcp', outcome: 'ok' },
    { name: 'mcp__files__add', source: 'native', outcome: 'ok' },
  ]);
  expect(bench.caller.tools().filter(({ name }) => name === 'mcp__files__add')).toMatchObject([{ source: 'native' }]);
});

test('[S2.wrap] it has policies of its own, which decide once and never on the bare tool', async () => {
  const asked: string[] = [];
  const note: ToolPolicy = {
    name: 'note',
    check: ({ tool, arguments: { message } }) => {
      asked.push(`${tool.source} ${String(message)}`);
      return message === 'no' ? { kind: 'deny', reason: 'Not that.' } : { kind: 'allow' };
    },
  };
  await using bench = await openBench('echo', { policies: [note] });
  const say = (message: string): Promise<CallReport> => bench.caller.call('mcp__files__echo', { message });
  expect(await say('yes')).toMatchObject({ outcome: 'ok' });
  expect(await say('no')).toMatchObject({ outcome: 'denied', message: 'Not that.' });
  expect(asked).toEqual(['native yes', 'native no']);
});

test("[S2.wrap] the bare tool's own policies decide on the call inside", async () => {
  await using bench = await openBench('echo', { name: 'say' }, [new PatternPolicy({ deny: ['echo'] })]);
  expect(await bench.caller.call('say', { message: 'x' })).toMatchObject({
    success: false,
    message: expect.stringContaining('Refused'),
  });
  expect(bench.events.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'mcp__files__echo denied',
    'say tool-error',
  ]);
});

test('[S2.wrap] a handler changes arguments and result', async () => {
  await using bench = await openBench('add', {
    name: 'add_ten',
    description: 'Adds ten.',
    handler: async ({ a, b }, { call }) => {
      const { structuredContent } = await call({ a: Number(a) + 10, b });
      return `It is ${(structuredContent as { sum: number }).sum}.`;
    },
  });
  expect(bench.caller.tool('add_ten')).toMatchObject({ description: 'Adds ten.', source: 'native' });
  expect(await bench.caller.call('add_ten', { a: 1, b: 2 })).toMatchObject({
    outcome: 'ok',
    content: [{ type: 'text', text: 'It is 13.' }],
  });
  expect(bench.events.map(({ params }) => params)).toEqual([
    { a: 11, b: 2 },
    { a: 1, b: 2 },
  ]);
});

test('[S2.wrap] its transaction holds handler and call together: a failing call undoes what the handler wrote', async () => {
  const write = async (tool: string): Promise<readonly string[]> => {
    await using bench = await openBench(tool, {
      name: 'noted',
      handler: (_, { call, context }) => {
        context.session.slice(notes).append(`called ${tool}`);
        return call();
      },
    });
    await bench.caller.call('noted', { message: 'x' });
    return bench.session.slice(notes).all();
  };
  expect([await write('echo'), await write('fail')]).toEqual([['called echo'], []]);
});

test('[S2.wrap] a handler that fails after the call undoes what policies noted of it', async () => {
  const note: ToolPolicy = {
    name: 'note',
    onResult: (_call, _result, { session }) => session.slice(notes).append('noted'),
  };
  const handler: WrapOptions['handler'] = async (_, { call }) => {
    await call();
    throw new Error('changed my mind');
  };
  await using bench = await openBench('echo', { name: 'undone', handler }, [note]);
  expect(await bench.caller.call('undone', { message: 'x' })).toMatchObject({
    outcome: 'tool-error',
    message: 'changed my mind',
  });
  expect(bench.session.slice(notes).all()).toEqual([]);
});

test('a handler sees a long result whole; only what the model reads is cut', async () => {
  const message = 'x'.repeat(150_000);
  const seen: number[] = [];
  await using bench = await openBench('echo', {
    name: 'long',
    handler: async (_, { call }) => {
      const report = await call();
      seen.push(String(report.content[0]?.['text']).length);
      return report;
    },
  });
  const report = await bench.caller.call('long', { message });
  expect(seen).toEqual([150_000]);
  expect(report.truncated).toMatchObject({ totalCharacters: 150_000 });
});

test('progress of the call inside reaches the caller', async () => {
  await using bench = await openBench('slow', { name: 'told' });
  const steps: number[] = [];
  await bench.caller.call('told', { ms: 1, steps: 2 }, { onProgress: ({ progress }) => steps.push(progress) });
  expect(steps).toEqual([1, 2]);
});

test('hints of a server that is not trusted are not believed of the wrapped tool either', async () => {
  await using bench = await openBench('add', {});
  expect(bench.wrapped.annotations).toBeUndefined();
  const spec = bench.hub.tools('files').find(({ tool }) => tool === 'add');
  if (!spec) throw new Error('no tool');
  expect(wrapTool({ ...spec, trust: 'trusted' }).annotations).toMatchObject({ readOnlyHint: true });
  expect(wrapTool(spec, { annotations: { destructiveHint: true } }).annotations).toEqual({ destructiveHint: true });
});

interface Bench extends AsyncDisposable {
  readonly hub: Hub;
  readonly caller: Caller;
  readonly session: Session;
  readonly events: ToolInvoked[];
  readonly wrapped: ReturnType<typeof wrapTool>;
}

async function openBench(tool: string, options: WrapOptions, policies: readonly ToolPolicy[] = []): Promise<Bench> {
  const hub = new Hub({ servers: [McpServer.sdk('files', createV2Server()).withPolicies(...policies)] });
  await hub.connect('files');
  const session = new Session();
  const events: ToolInvoked[] = [];
  session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
  const bare = new Caller({ hub }).tool({ server: 'files', tool });
  if (!bare) throw new Error(`no tool ${tool}`);
  const wrapped = wrapTool(bare, options);
  return {
    hub,
    session,
    events,
    wrapped,
    caller: new Caller({ hub, session, tools: [wrapped] }),
    [Symbol.asyncDispose]: () => hub.close(),
  };
}
