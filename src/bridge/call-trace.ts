import type { Outcome } from '../call/outcome.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { ServerTransport } from '../config/server-transport.ts';
import { McpToolError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import { parentContext } from './trace-context.ts';
import type { ParentContext, SpanContext, TraceContext } from './trace-context.ts';

/** What is used of OpenTelemetry's Tracer; any real one fits. */
export interface Tracer {
  startActiveSpan<Result>(name: string, options: SpanOptions, run: (span: Span) => Result): Result;
}

/** What is used of OpenTelemetry's Span. */
export interface Span {
  spanContext(): SpanContext;
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

export interface SpanOptions {
  readonly kind: number;
  readonly attributes: SpanAttributes;
  readonly startTime?: number;
}

type SpanAttributes = Record<string, string | number | boolean>;

/** What a span tells of a call before it is made. */
export interface TracedCall {
  readonly call: ToolCall;
  readonly sessionId: string;
  /** How the tool's server is reached; absent for a native tool and for one that nobody has. */
  readonly transport: ServerTransport | undefined;
  readonly scrubber: Scrubber;
  /** Milliseconds since 1970, for a call that began before its tool was known. */
  readonly startTime?: number | undefined;
  /** The trace that its caller says it is part of; else it is part of what is active. */
  readonly trace?: TraceContext | undefined;
}

/** What a span tells of a call that has ended. */
export interface TracedEnd {
  readonly result: ToolResult;
  /** What the result was made of, if the call failed by an error. */
  readonly thrown?: unknown;
}

// OpenTelemetry's numbers for kinds of spans and for the status of a failed one.
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;
const NO_TRACE = '0'.repeat(32);

/** Makes a call in a span of its own, which is the parent of whatever else the call starts. */
export function traced<End extends TracedEnd>(
  tracer: Tracer,
  traceable: TracedCall,
  run: (span?: Span) => Promise<End>,
): Promise<End> {
  const { call, scrubber, startTime } = traceable;
  const { source, tool } = call.tool;
  const name = scrubber.scrub(source === 'mcp' ? `tools/call ${tool}` : `execute_tool ${tool}`);
  const options = {
    kind: source === 'mcp' ? CLIENT : INTERNAL,
    attributes: scrubber.scrubValue(attributesOf(traceable)),
    ...(startTime !== undefined && { startTime }),
  };
  let running: Promise<End> | undefined;
  const runInSpan = (span: Span): Promise<End> => {
    running = run(span);
    return running.then((end) => {
      endSpan(span, end, scrubber);
      return end;
    });
  };
  try {
    const parent = traceable.trace && parentContext(traceable.trace);
    return parent && takesParent(tracer)
      ? tracer.startActiveSpan(name, options, parent, runInSpan)
      : tracer.startActiveSpan(name, options, runInSpan);
  } catch {
    // A tracer that fails must not take a call with it.
    return running ?? run();
  }
}

interface ParentTracer {
  startActiveSpan<Result>(
    name: string,
    options: SpanOptions,
    parent: ParentContext,
    run: (span: Span) => Result,
  ): Result;
}

/** One that was made for a test may know nothing of parents. */
function takesParent(tracer: Tracer): tracer is Tracer & ParentTracer {
  return tracer.startActiveSpan.length > 3;
}

/** What a server is told of the trace, in the request's `_meta`. */
export function traceMeta(span: Span | undefined, given: TraceContext | undefined): JsonObject | undefined {
  const context = span && contextOf(span);
  // A tracer that was never set up has nothing to tell.
  if (!context || context.traceId === NO_TRACE) return given as JsonObject | undefined;
  const { traceId, spanId, traceFlags, traceState } = context;
  const flags = (traceFlags % 256).toString(16).padStart(2, '0');
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  const tracestate = traceState?.serialize() ?? '';
  return tracestate === '' ? { traceparent } : { traceparent, tracestate };
}

function contextOf(span: Span): SpanContext | undefined {
  try {
    return span.spanContext();
  } catch {
    return undefined;
  }
}

/** The names of the GenAI and MCP conventions, and ours where they have none; arguments and results are not told. */
function attributesOf({ call, sessionId, transport }: TracedCall): SpanAttributes {
  const { tool, callId } = call;
  const isMcp = tool.source === 'mcp';
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.tool,
    'gen_ai.tool.type': isMcp ? 'extension' : 'function',
    'gen_ai.tool.call.id': callId,
    'gen_ai.conversation.id': sessionId,
    'fairlead.tool': tool.name,
    ...(isMcp && { 'mcp.method.name': 'tools/call' }),
    ...(tool.server !== undefined && { 'fairlead.server': tool.server }),
    ...(transport && networkOf(transport)),
  };
}

function networkOf(transport: ServerTransport): SpanAttributes {
  if (transport.kind === 'stdio') return { 'network.transport': 'pipe' };
  if (!('url' in transport)) return {};
  const http = { 'network.transport': 'tcp', 'network.protocol.name': 'http' };
  // A reference in a host name is resolved elsewhere, and may be a secret.
  if (/^[^/]*:\/\/[^/?#]*\$\{/.test(transport.url) || !URL.canParse(transport.url)) return http;
  const { hostname, port, protocol } = new URL(transport.url);
  return { ...http, 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function endSpan(span: Span, end: TracedEnd, scrubber: Scrubber): void {
  try {
    span.setAttributes(outcomeOf(end));
    const { success, message } = end.result;
    if (!success) span.setStatus({ code: ERROR, message: scrubber.scrub(message) });
    span.end();
  } catch {
    // The call has ended all the same.
  }
}

function outcomeOf({ result: { outcome }, thrown }: TracedEnd): SpanAttributes {
  if (outcome === 'ok') return { 'fairlead.outcome': outcome };
  const code = thrown instanceof McpToolError ? thrown.rpcError?.code : undefined;
  if (code === undefined) return { 'fairlead.outcome': outcome, 'error.type': errorType(outcome) };
  const answered = String(code);
  return { 'fairlead.outcome': outcome, 'error.type': answered, 'rpc.response.status_code': answered };
}

/** The conventions have a word of their own for a tool that reports an error. */
function errorType(outcome: Outcome): string {
  return outcome === 'tool-error' ? 'tool_error' : outcome;
}
