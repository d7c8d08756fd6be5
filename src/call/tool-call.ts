import type { JsonObject, ToolRef } from './tool-ref.ts';

/** One use of a tool, before it has a result. */
export interface ToolCall {
  readonly callId: string;
  readonly tool: ToolRef;
  readonly arguments: JsonObject;
}
