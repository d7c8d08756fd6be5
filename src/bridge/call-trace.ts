import type { ToolCall } from '../call/tool-call.ts';
import type { Outcome } from '../call/outcome.ts';
import type { JsonObject } from '../call/tool-ref.ts';

/** What is used of OpenTelemetry's Tracer; any real one fits. */
export interface Tracer {
  startSpan(name: string, options: { readonly kind?: number; readonly attributes?: SpanAttributes }): Span;
}

/** What is used of OpenTelemetry's Span. */
export interface Span {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttribute(name: string, value: string | number | boolean): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The caller's own trace, by the names that HTTP and the protocol share. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

// OpenTelemetry's numbers for a client span and for a failed one.
const CLIENT = 2;
const ERROR = 2;

/** Starts the span of one call, named as the GenAI and MCP conventions have it. */
export function startSpan(tracer: Tracer, call: ToolCall, sessionId: string): Span {
  const { tool, callId } = call;
  const isMcp = tool.source === 'mcp';
  return tracer.startSpan(isMcp ? `tools/call ${tool.tool}` : `execute_tool ${tool.tool}`, {
    kind: CLIENT,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': isMcp ? 'extension' : 'function',
      'gen_ai.conversation.id': sessionId,
      ...(isMcp && { 'mcp.method.name': 'tools/call' }),
      ...(tool.server !== undefined && { 'fairlead.server': tool.server }),
    },
  });
}

/** Ends a span with what became of the call; the message may be a server's and was scrubbed before. */
export function endSpan(span: Span, outcome: Outcome, message: string): void {
  span.setAttribute('fairlead.outcome', outcome);
  if (outcome !== 'ok') {
    span.setAttribute('error.type', outcome);
    span.setStatus({ code: ERROR, message });
  }
  span.end();
}

/** What a server is told of the trace, in the request's `_meta`. */
export function traceMeta(span: Span | undefined, given: TraceContext | undefined): JsonObject | undefined {
  if (!span) return given && { ...given };
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags % 256).toString(16).padStart(2, '0');
  const traceparent = `00-${traceId}-${spanId}-${flags}`;
  return given?.tracestate === undefined ? { traceparent } : { traceparent, tracestate: given.tracestate };
}
