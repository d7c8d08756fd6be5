import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Caller, defineTool, Hub } from 'fairlead';
import { z } from 'zod';

// An application has its own provider and exporter; with the context manager spans find their parents.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('my-agent');

const divide = defineTool({
  name: 'divide',
  description: 'Divides two numbers.',
  params: z.object({ dividend: z.number(), divisor: z.number() }),
  handler: ({ dividend, divisor }) => {
    if (divisor === 0) throw new Error('nothing can be divided by zero');
    return String(dividend / divisor);
  },
});

await using hub = new Hub();
const caller = new Caller({ hub, tools: [divide], tracer });

await tracer.startActiveSpan('turn of the agent', async (turn) => {
  await caller.call('divide', { dividend: 6, divisor: 3 });
  await caller.call('divide', { dividend: 6, divisor: 0 });
  turn.end();
});

for (const { name, attributes, status, parentSpanContext } of exporter.getFinishedSpans())
  console.log(name, attributes['fairlead.outcome'], status.message, parentSpanContext !== undefined);

context.disable();
