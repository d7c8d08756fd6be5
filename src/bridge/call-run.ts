import type { ToolCall } from '../call/tool-call.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { CallOptions } from './call-options.ts';
import type { CallPlan } from './call-plan.ts';
import type { CallScope } from './call-scope.ts';
import type { Span } from './call-trace.ts';
import type { NameRuling } from './judge-by-name.ts';

/** One call on its way. */
export interface CallRun {
  readonly plan: CallPlan;
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly scope: CallScope;
  /** What policies said before the tool was known. */
  readonly said?: NameRuling | undefined;
  readonly span: Span | undefined;
}

/** How a call ended, and whether its answer is an earlier one. */
export interface CallEnd {
  readonly result: ToolResult;
  readonly isCached: boolean;
  /** The call as somebody has said yes to it. */
  readonly approved?: ToolCall;
  /** What the result was made of, if the call failed by an error. */
  readonly thrown?: unknown;
}
