/** Hints a server gives about a tool, named as on the wire; a hint that is absent says nothing. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Whether what a server says about itself may widen what it is allowed. */
export type Trust = 'trusted' | 'untrusted';

/** Whether a tool is a function of ours or belongs to an MCP server. */
export type ToolSource = 'native' | 'mcp';

/** Which tool a call is about. */
export interface ToolRef {
  /** What an agent sees. */
  readonly name: string;
  /** Absent for a native tool. */
  readonly server?: string;
  /** The server's own name for it; for a native tool its name again. */
  readonly tool: string;
  readonly source: ToolSource;
  readonly annotations?: ToolAnnotations;
  readonly trust: Trust;
}

export type JsonObject = Readonly<Record<string, unknown>>;
