import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { context, createTraceState, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { SpanContext, Tracer as RealTracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import { ALLOW, Caller, defineTool, deny, Hub, McpServer } from '../../src/index.ts';
import type { CallerOptions, ToolPolicy, TraceContext, Tracer } from '../../src/index.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import { startModernHttp } from '../fixtures/modern-http-server.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { faultyServer, healthyServer } from '../hub/servers.ts';
import { projectRoot } from '../project-files.ts';

const PARENT: SpanContext = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  traceFlags: TraceFlags.SAMPLED,
  traceState: createTraceState('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'),
};
const TRACESTATE = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('test');

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

afterEach(() => {
  context.disable();
  exporter.reset();
});

test('a tracer of OpenTelemetry is one of ours', () => {
  expectTypeOf<RealTracer>().toExtend<Tracer>();
  expectTypeOf<typeof tracer>().toExtend<NonNullable<CallerOptions['tracer']>>();
});

test('a call is one span, named as the conventions have it', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const caller = new Caller({ hub, tracer });
  await hub.connect('files');
  const { callId } = await caller.call('mcp__files__add', { a: 1, b: 2 });
  expect(exporter.getFinishedSpans().map(told)).toEqual([
    {
      name: 'tools/call add',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'add',
        'gen_ai.tool.type': 'extension',
        'gen_ai.tool.call.id': callId,
        'gen_ai.conversation.id': caller.session.id,
        'network.transport': 'pipe',
        'fairlead.server': 'files',
        'fairlead.tool': 'mcp__files__add',
        'fairlead.outcome': 'ok',
      },
    },
  ]);
});

test('the span of a remote server says where it is, without what may be a secret', async () => {
  await using server = await startFaultyHttp('healthy');
  await using hub = new Hub({ servers: [McpServer.http('remote', `${server.url}?key=very-secret`)] });
  await new Caller({ hub, tracer }).call({ server: 'remote', tool: 'echo' }, { message: 'x' });
  const [span] = exporter.getFinishedSpans();
  expect(span?.attributes).toMatchObject({
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'server.address': '127.0.0.1',
    'server.port': server.port,
  });
  expect(JSON.stringify(span?.attributes)).not.toContain('very-secret');
});

test.each([
  ['a tool that fails', 'fail', { code: 'tool_error', message: 'failed on purpose' }],
  ['an RPC error', 'throw', { code: '-32050', message: 'thrown on purpose' }],
  ['a tool that nobody has', 'none', { code: 'invalid', message: "files has no tool called 'none'" }],
])('%s is an error of the span', async (_, tool, { code, message }) => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  await new Caller({ hub, tracer }).call({ server: 'files', tool });
  const [span, ...more] = exporter.getFinishedSpans();
  expect(more).toEqual([]);
  expect(span?.name).toBe(`tools/call ${tool}`);
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message });
  expect(span?.attributes).toMatchObject({
    'error.type': code,
    ...(code.startsWith('-') && { 'rpc.response.status_code': code }),
  });
});

test('a denied call and one that took too long are spans with their outcome', async () => {
  const noLooking: ToolPolicy = {
    name: 'no-looking',
    check: ({ tool }) => (tool.tool === 'look' ? deny('Not today.') : ALLOW),
  };
  await using hub = new Hub({ servers: [faultyServer('slow', 'hang-on-call')] });
  const caller = new Caller({ hub, tracer, policies: [noLooking] });
  await hub.connect('slow');
  await caller.call({ server: 'slow', tool: 'look' }, { message: 'x' });
  await caller.call({ server: 'slow', tool: 'echo' }, { message: 'x' }, { timeoutMs: 20 });
  expect(exporter.getFinishedSpans().map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
    ['denied', SpanStatusCode.ERROR],
    ['timeout', SpanStatusCode.ERROR],
  ]);
});

const inner = defineTool({ name: 'inner', description: 'Does it.', params: {}, handler: () => 'done' });
const outer = defineTool({
  name: 'outer',
  description: 'Calls inner.',
  params: {},
  handler: async (_params, { call }) => (await call('inner')).message,
});

test('the active span is the parent, and the span of a call the parent of what its handler does', async () => {
  await using hub = new Hub();
  const caller = new Caller({ hub, tracer, tools: [inner, outer] });
  await context.with(trace.setSpanContext(context.active(), PARENT), () => caller.call('outer'));
  const spans = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));
  expect([...spans.keys()]).toEqual(['execute_tool inner', 'execute_tool outer']);
  expect(spans.get('execute_tool outer')).toMatchObject({ kind: SpanKind.INTERNAL, parentSpanContext: PARENT });
  expect(spans.get('execute_tool inner')?.parentSpanContext?.spanId).toBe(
    spans.get('execute_tool outer')?.spanContext().spanId,
  );
  expect(spans.get('execute_tool inner')?.spanContext().traceId).toBe(PARENT.traceId);
});

test('a trace that is given is the parent instead, and goes on inside', async () => {
  await using hub = new Hub();
  const caller = new Caller({ hub, tracer, tools: [inner, outer] });
  const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;
  await caller.call('outer', {}, { trace: { traceparent, tracestate: TRACESTATE } });
  const [done, around] = exporter.getFinishedSpans();
  const { traceId, spanId } = PARENT;
  expect(around?.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true });
  expect(around?.spanContext().traceState?.serialize()).toBe(TRACESTATE);
  expect(done?.parentSpanContext?.spanId).toBe(around?.spanContext().spanId);
});

test('a trace that is none is no parent', async () => {
  const tool = defineTool({ name: 'tool', description: 'Does it.', params: {}, handler: () => 'done' });
  await using hub = new Hub();
  const caller = new Caller({ hub, tracer, tools: [tool] });
  expect((await caller.call('tool', {}, { trace: { traceparent: 'nonsense' } })).outcome).toBe('ok');
  expect(exporter.getFinishedSpans().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined]);
});

test.each([
  ['directly', true],
  ['through the SDK', false],
])('a server over stdio is told the trace, %s', async (_, directCalls) => {
  await using folder = await openTemporaryFolder();
  const { command, args } = faulty('healthy', { executions: folder.file('calls') });
  await using hub = new Hub({ servers: [McpServer.stdio('files', command, args)], directCalls });
  await callInTrace(hub, 'files');
  const [params = '{}'] = folder.lines('calls');
  expect(JSON.parse(params)).toMatchObject({ _meta: { traceparent: ownTraceparent(), tracestate: TRACESTATE } });
});

test('a server over HTTP is told the trace', async () => {
  await using server = await startFaultyHttp('healthy');
  await using hub = new Hub({ servers: [McpServer.http('files', server.url)] });
  await callInTrace(hub, 'files');
  expect(server.executions).toMatchObject([{ _meta: { traceparent: ownTraceparent(), tracestate: TRACESTATE } }]);
});

test('a server of the new era over HTTP is told the trace', async () => {
  const metas: unknown[] = [];
  const tool = { name: 'echo', inputSchema: { type: 'object' } };
  await using server = await startModernHttp({
    'tools/list': () => ({ tools: [tool], ttlMs: 0, cacheScope: 'public' }),
    'tools/call': ({ _meta }) => {
      metas.push(_meta);
      return { content: [] };
    },
  });
  await using hub = new Hub({ servers: [McpServer.http('files', server.url)] });
  await callInTrace(hub, 'files');
  expect(metas).toMatchObject([{ traceparent: ownTraceparent(), tracestate: TRACESTATE }]);
});

test('without a tracer, or with one that was never set up, the trace that was given goes to the server as it is', async () => {
  const given: TraceContext = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'a=b',
  };
  await using server = await startFaultyHttp('healthy');
  await using hub = new Hub({ servers: [McpServer.http('files', server.url)] });
  const address = { server: 'files', tool: 'echo' };
  await new Caller({ hub }).call(address, { message: 'x' }, { trace: given });
  await new Caller({ hub, tracer: trace.getTracer('nobody') }).call(address, { message: 'x' }, { trace: given });
  await new Caller({ hub }).call(address, { message: 'x' });
  const traces = server.executions.map((params) => (params as { _meta?: Partial<TraceContext> })._meta ?? {});
  expect(traces.map(({ traceparent, tracestate }) => ({ traceparent, tracestate }))).toEqual([given, given, {}]);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test('a span includes the start of a server that the call had to start', async () => {
  await using hub = new Hub({ servers: [faultyServer('late', 'slow-start', { ms: 20 })] });
  const connected: number[] = [];
  hub.on('server-connected', ({ at }) => connected.push(at));
  await new Caller({ hub, tracer }).call('mcp__late__echo', { message: 'x' });
  const [span] = exporter.getFinishedSpans();
  expect(span?.name).toBe('tools/call echo');
  const [seconds = 0, nanoseconds = 0] = span?.startTime ?? [];
  expect(seconds * 1000 + nanoseconds / 1e6).toBeLessThan(connected[0] ?? 0);
});

test('a tracer that fails takes no call with it', async () => {
  const broken = (): never => {
    throw new Error('no trace today');
  };
  const brokenSpan = { spanContext: () => PARENT, setAttributes: broken, setStatus: broken, end: broken };
  await using hub = new Hub();
  const ping = defineTool({ name: 'ping', description: 'Answers.', params: {}, handler: () => 'pong' });
  const tracers: readonly Tracer[] = [
    { startActiveSpan: broken },
    { startActiveSpan: (_name, _options, run) => run(brokenSpan) },
    { startActiveSpan: (_name, _options, run) => run({ ...brokenSpan, spanContext: broken }) },
    {
      startActiveSpan: (_name, _options, run) => {
        run(brokenSpan);
        return broken();
      },
    },
  ];
  for (const each of tracers) {
    const report = await new Caller({ hub, tracer: each, tools: [ping] }).call('ping');
    expect(report).toMatchObject({ outcome: 'ok', content: [{ text: 'pong' }] });
  }
});

test('calls load nothing of OpenTelemetry', async () => {
  const program = `
    import { register } from 'node:module';
    const seen = 'export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }';
    register('data:text/javascript,' + encodeURIComponent(seen));
    const { Caller, defineTool, Hub } = await import('fairlead');
    const ping = defineTool({ name: 'ping', description: 'Answers.', params: {}, handler: () => 'pong' });
    const { outcome } = await new Caller({ hub: new Hub(), tools: [ping] }).call('ping');
    console.log(outcome);`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: projectRoot,
  });
  expect(stdout.trim()).toBe('ok');
  expect(stderr).toContain('/dist/bridge/caller.js');
  expect(stderr).not.toContain('opentelemetry');
});

async function callInTrace(hub: Hub, server: string): Promise<void> {
  const caller = new Caller({ hub, tracer });
  const report = await context.with(trace.setSpanContext(context.active(), PARENT), () =>
    caller.call({ server, tool: 'echo' }, { message: 'x' }),
  );
  expect(report.outcome).toBe('ok');
}

/** The trace as a server is told it: that of the parent, with the span of the call itself. */
function ownTraceparent(): string {
  const [span] = exporter.getFinishedSpans();
  expect(span?.parentSpanContext).toEqual(PARENT);
  return `00-${PARENT.traceId}-${span?.spanContext().spanId ?? ''}-01`;
}

function told({ name, kind, status, attributes }: ReadableSpan): object {
  return { name, kind, status, attributes };
}
