/** Every way Fairlead fails, as one closed list; callers switch on the code, never on the message. */
export type ErrorCode =
  | 'CONFIG_INVALID'
  | 'SERVER_INVALID'
  | 'SECRET_MISSING'
  | 'SERVER_UNKNOWN'
  | 'HUB_CLOSED'
  | 'ISOLATION_UNAVAILABLE'
  | ConnectionErrorCode
  | 'TOOL_INVALID'
  | 'TOOL_UNKNOWN'
  | 'TOOL_QUARANTINED'
  | 'TOOL_FAILED'
  | 'ARGUMENTS_INVALID'
  | 'INVALID_RESULT'
  | 'RESULT_TOO_LARGE'
  | 'CALL_TIMEOUT'
  | 'CALL_CANCELLED'
  | 'SCHEMA_UNUSABLE'
  | 'RESOURCE_FAILED'
  | 'SESSION_INVALID'
  | 'PROMPT_INVALID'
  | 'PROMPT_RENDER_FAILED'
  | 'PROMPT_EVALUATION_FAILED'
  | 'EXPANSION_REQUIRED';

/** The codes of a server that cannot be reached, or was lost while it was needed. */
export type ConnectionErrorCode =
  | 'COMMAND_NOT_FOUND'
  | 'SPAWN_FAILED'
  | 'SERVER_EXITED'
  | 'CONNECT_TIMEOUT'
  | 'CONNECTION_REFUSED'
  | 'CONNECT_FAILED'
  | 'CONNECTION_LOST'
  | 'VERSION_UNSUPPORTED'
  | 'AUTH_REQUIRED'
  | 'NOT_MCP'
  | 'PROTOCOL_ERROR'
  | 'LIST_FAILED'
  | 'NOT_CONNECTED'
  | 'UNAVAILABLE'
  | 'OVERLOADED'
  | 'SERVER_DISABLED'
  | 'SERVER_REMOVED'
  | 'CALL_AMBIGUOUS';

/** The base of every error Fairlead throws. */
export class McpError extends Error {
  readonly code: ErrorCode;
  readonly serverName: string | undefined;

  constructor(code: ErrorCode, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.serverName = options.server;
  }
}

export interface McpErrorOptions {
  readonly server?: string;
  readonly cause?: unknown;
}

/** A server could not be reached or its connection was lost. */
export class McpConnectionError extends McpError {
  declare readonly serverName: string;
  /** How the server was to be reached, with every secret masked. */
  readonly transport: string;

  constructor(fields: ConnectionErrorFields) {
    super(fields.code, fields.message, fields);
    this.transport = fields.transport;
  }
}

export interface ConnectionErrorFields {
  readonly code: ConnectionErrorCode | 'SECRET_MISSING' | 'ISOLATION_UNAVAILABLE';
  readonly server: string;
  readonly transport: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** What a server answered when it refused a request. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A tool was called and the answer is an error, or no usable result. */
export class McpToolError extends McpError {
  declare readonly serverName: string;
  readonly toolName: string;
  readonly rpcError: RpcError | undefined;

  constructor(fields: ToolErrorFields) {
    super(fields.code ?? 'TOOL_FAILED', fields.message, fields);
    this.toolName = fields.tool;
    this.rpcError = fields.rpcError;
  }
}

export interface ToolErrorFields {
  readonly code?: 'TOOL_FAILED' | 'TOOL_UNKNOWN' | 'TOOL_QUARANTINED' | 'INVALID_RESULT' | 'RESULT_TOO_LARGE';
  readonly server: string;
  readonly tool: string;
  readonly message: string;
  readonly rpcError?: RpcError;
  readonly cause?: unknown;
}

/** An operation took longer than it was given. */
export class McpTimeoutError extends McpError {
  readonly operation: string;
  readonly timeoutMs: number;

  constructor(fields: TimeoutErrorFields) {
    const what = fields.server === undefined ? fields.operation : `${fields.server}: ${fields.operation}`;
    super('CALL_TIMEOUT', `${what} gave no answer within ${fields.timeoutMs} ms`, fields);
    this.operation = fields.operation;
    this.timeoutMs = fields.timeoutMs;
  }
}

export interface TimeoutErrorFields {
  /** Absent for a native tool. */
  readonly server?: string;
  /** What was waited for: a tool's name, or a protocol method. */
  readonly operation: string;
  readonly timeoutMs: number;
  readonly cause?: unknown;
}

/** A tool's schema cannot be used. */
export class McpSchemaError extends McpError {
  declare readonly serverName: string;
  readonly toolName: string;
  readonly reason: string;

  constructor(fields: SchemaErrorFields) {
    super('SCHEMA_UNUSABLE', `${fields.server}: the schema of ${fields.tool} cannot be used: ${fields.reason}`, fields);
    this.toolName = fields.tool;
    this.reason = fields.reason;
  }
}

export interface SchemaErrorFields {
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
  readonly cause?: unknown;
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    // An object without a prototype has no text at all.
    return Object.prototype.toString.call(thrown);
  }
}
