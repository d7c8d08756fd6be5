import type { CallToolResult } from '../call/tool-result.ts';
import type { Clock } from '../clock.ts';
import { McpError, McpTimeoutError, messageOf } from '../errors.ts';
import type { NativeTool } from './native-tool.ts';
import type { ToolContext } from './tool-context.ts';

export interface NativeRun {
  readonly args: Parameters<NativeTool['execute']>[0];
  readonly context: Omit<ToolContext, 'signal' | 'deadline' | 'call'>;
  readonly callWithin: (limits: NestedLimits) => ToolContext['call'];
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A call inside a call is given up with it, and has no more time. */
export type NestedLimits = Pick<ToolContext, 'signal' | 'deadline'>;

/** Runs a native tool's handler until it answers, its time is over, or nobody wants the answer any more. */
export async function runNative(tool: NativeTool, run: NativeRun): Promise<CallToolResult> {
  const { clock, timeoutMs, signal, args } = run;
  const over = new AbortController();
  const onAbort = (): void => over.abort(new McpError('CALL_CANCELLED', `${tool.name} was cancelled by its caller`));
  const timer = clock.after(timeoutMs, () => over.abort(new McpTimeoutError({ operation: tool.name, timeoutMs })));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  const limits = { signal: over.signal, deadline: clock.now() + timeoutMs };
  const context: ToolContext = { ...run.context, ...limits, call: run.callWithin(limits) };
  try {
    return await Promise.race([execute(tool, args, context), whenAborted(over.signal)]);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function execute(tool: NativeTool, args: NativeRun['args'], context: ToolContext): Promise<CallToolResult> {
  try {
    return await tool.execute(args, context);
  } catch (error) {
    // Only what the pipeline itself threw keeps its meaning; a handler's own failure is the tool's.
    if (error instanceof McpError && error.code === 'ARGUMENTS_INVALID') throw error;
    if (context.signal.aborted) throw context.signal.reason;
    throw new McpError('TOOL_FAILED', messageOf(error), { cause: error });
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
