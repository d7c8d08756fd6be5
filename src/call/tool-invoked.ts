import type { Outcome } from './outcome.ts';
import type { ToolResult } from './tool-result.ts';
import type { JsonObject, ToolSource } from './tool-ref.ts';

/** A call has ended; exactly one of these is dispatched per call, whatever its outcome. */
export interface ToolInvoked {
  readonly type: 'tool-invoked';
  readonly at: number;
  readonly callId: string;
  readonly sessionId: string;
  /** The name the agent used. */
  readonly name: string;
  /** Who called: an agent SDK's adapter, the gateway, the command line, or code. */
  readonly adapter: string;
  readonly params: JsonObject;
  readonly result: ToolResult;
  readonly outcome: Outcome;
  readonly source: ToolSource;
  readonly mcpServer?: string;
  readonly durationMs: number;
  /** The answer is an earlier one; nothing was sent. */
  readonly isCached?: true;
}
