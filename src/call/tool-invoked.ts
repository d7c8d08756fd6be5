import type { Outcome } from './outcome.ts';
import type { ToolResult } from './tool-result.ts';
import type { JsonObject } from './tool-ref.ts';

/** A call has ended; exactly one of these is dispatched per call, whatever its outcome. */
export interface ToolInvoked {
  readonly type: 'tool-invoked';
  readonly at: number;
  readonly callId: string;
  readonly sessionId: string;
  /** The name the agent used. */
  readonly name: string;
  readonly params: JsonObject;
  readonly result: ToolResult;
  readonly outcome: Outcome;
  readonly source: 'mcp';
  readonly mcpServer?: string;
  readonly durationMs: number;
}
