import type { JsonObject, ToolSource } from './tool-ref.ts';

/** A call is being sent: its arguments are valid, its policies agree, and whoever had to be asked said yes. */
export interface ToolStarted {
  readonly type: 'tool-started';
  readonly at: number;
  readonly callId: string;
  readonly sessionId: string;
  /** The name the agent used. */
  readonly name: string;
  /** Who called: an agent SDK's adapter, the gateway, the command line, or code. */
  readonly adapter: string;
  readonly params: JsonObject;
  readonly source: ToolSource;
  readonly mcpServer?: string;
}
