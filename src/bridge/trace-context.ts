/** The caller's own trace, by the names that HTTP and the protocol share. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What is used of OpenTelemetry's SpanContext. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState?: { serialize(): string } | undefined;
}

/** What is used of OpenTelemetry's Context, which its tracers take a span's parent from. */
export interface ParentContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): ParentContext;
  deleteValue(key: symbol): ParentContext;
}

// By this key every copy of OpenTelemetry's API finds a context's span.
const SPAN_KEY = Symbol.for('OpenTelemetry Context Key SPAN');
const TRACEPARENT = /^[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?:-|$)/;

/** A context in which somebody else's span is the active one; nothing if what he gave is no trace. */
export function parentContext({ traceparent, tracestate }: TraceContext): ParentContext | undefined {
  const { traceId, spanId, flags } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const context: SpanContext & { readonly isRemote: true } = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: { serialize: () => tracestate } }),
  };
  return contextOf(new Map([[SPAN_KEY, { spanContext: () => context }]]));
}

function contextOf(values: ReadonlyMap<symbol, unknown>): ParentContext {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
    deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
  };
}
