import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A tool as an agent is offered it: the server's definition under the name the agent sees. */
export interface ToolSpec extends ToolDefinition, ToolRef {
  readonly server: string;
  readonly source: 'mcp';
  /** Why the tool is not offered although its server has it. */
  readonly quarantined?: string;
}
