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

/** Which tool a call is about. */
export interface ToolRef {
  /** What an agent sees. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly annotations?: ToolAnnotations;
  readonly trust: Trust;
}

export type JsonObject = Readonly<Record<string, unknown>>;
