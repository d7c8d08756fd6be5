import { traced as trace } from '../../src/bridge/call-trace.ts';
import type { Span, Tracer } from '../../src/bridge/call-trace.ts';
import { noteSink } from './sink-watch.ts';

export { traceMeta } from '../../src/bridge/call-trace.ts';

/** Stands in for the tracing of calls: whatever a tracer is told is searched. */
export const traced: typeof trace = (tracer, traceable, run) => trace(watchedTracer(tracer), traceable, run);

/** A copy of the tracer's own function in all but what it is told: how many arguments it takes says something, too. */
function watchedTracer(tracer: Tracer): Tracer {
  const startActiveSpan = new Proxy(tracer.startActiveSpan.bind(tracer), {
    apply: (start, _, args: readonly unknown[]) => {
      const run = args.at(-1) as (span: Span) => unknown;
      noteSink('spans', args.slice(0, 2));
      return Reflect.apply(start, undefined, [...args.slice(0, -1), (span: Span) => run(watchedSpan(span))]) as unknown;
    },
  });
  return { startActiveSpan };
}

function watchedSpan(span: Span): Span {
  return {
    spanContext: () => span.spanContext(),
    setAttributes: (attributes) => {
      noteSink('spans', attributes);
      return span.setAttributes(attributes);
    },
    setStatus: (status) => {
      noteSink('spans', status);
      return span.setStatus(status);
    },
    end: () => span.end(),
  };
}
