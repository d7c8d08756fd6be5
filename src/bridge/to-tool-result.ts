import { textOf } from '../call/content.ts';
import type { Content } from '../call/content.ts';
import type { Outcome } from '../call/outcome.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { CallToolResult, ToolResult } from '../call/tool-result.ts';
import { RequestError } from '../connection/request-failure.ts';
import { McpError, McpTimeoutError, McpToolError, messageOf } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

const OUTCOMES: Readonly<Partial<Record<ErrorCode, Outcome>>> = {
  TOOL_FAILED: 'tool-error',
  INVALID_RESULT: 'tool-error',
  RESULT_TOO_LARGE: 'tool-error',
  ARGUMENTS_INVALID: 'invalid',
  TOOL_UNKNOWN: 'invalid',
  TOOL_QUARANTINED: 'invalid',
  SERVER_UNKNOWN: 'invalid',
  CALL_TIMEOUT: 'timeout',
  CALL_CANCELLED: 'cancelled',
  CALL_AMBIGUOUS: 'ambiguous',
};

/** What an agent reads of a server's answer. */
export function fromAnswer(answer: CallToolResult): ToolResult {
  const { content, structuredContent, isError } = answer;
  const success = !isError;
  const outcome = isError ? 'tool-error' : 'ok';
  const message = isError ? orMcpError(textOf(content)) : 'Success';
  if (structuredContent === undefined) return { success, outcome, message, content };
  return { success, outcome, message, content, structuredContent };
}

/** What an agent reads when a policy or a person says no: the reason, as it was given. */
export function denied(reason: string): ToolResult {
  return failure('denied', reason);
}

export function invalidArguments(tool: ToolRef, problems: string): ToolResult {
  return failure('invalid', `${tool.name} was not called, because its arguments do not fit: ${problems}`);
}

/** A result that is not what its tool promised; what the server said is kept. */
export function invalidOutput(tool: ToolRef, problems: string, answer: CallToolResult): ToolResult {
  const message = `${tool.name} ran, but its result does not fit its output schema: ${problems}`;
  return { ...failure('tool-error', message), content: [{ type: 'text', text: message }, ...saidBy(answer)] };
}

/** The server did what it was told, and something of ours went wrong after it. */
export function succeededBut(what: string): ToolResult {
  return failure('tool-error', `The call was made and succeeded, but ${what}`);
}

export function cancelledBefore(tool: ToolRef): ToolResult {
  return failure('cancelled', `${tool.name} was cancelled by its caller before it was sent`);
}

export function tooLate(tool: ToolRef): ToolResult {
  return failure('timeout', `${tool.name} was not sent: the deadline of the whole work has passed`);
}

/** What an agent reads when there is no answer, or none that can be used. */
export function fromError(thrown: unknown, isRepeatable: boolean): ToolResult {
  const outcome = (thrown instanceof McpError ? OUTCOMES[thrown.code] : undefined) ?? 'unavailable';
  return failure(outcome, explain(thrown, outcome, isRepeatable));
}

/** Structured content that no text repeats would be lost. */
function saidBy({ content, structuredContent }: CallToolResult): readonly Content[] {
  if (structuredContent === undefined || textOf(content) !== '') return content;
  return [...content, { type: 'text', text: JSON.stringify(structuredContent) }];
}

function failure(outcome: Outcome, message: string): ToolResult {
  return { success: false, outcome, message, content: [{ type: 'text', text: message }] };
}

function explain(thrown: unknown, outcome: Outcome, isRepeatable: boolean): string {
  const said = messageOf(thrown);
  if (thrown instanceof McpToolError && thrown.rpcError) return orMcpError(thrown.rpcError.message);
  if (outcome === 'ambiguous') {
    return isRepeatable
      ? `${said}. The call was sent and no answer came. It does no harm to call it again.`
      : `${said}. The call was sent and no answer came; it was not repeated. It may have run: check its effect before calling it again.`;
  }
  if (isRepeatable) return said;
  if (thrown instanceof McpTimeoutError)
    return `${said}. It may have run all the same: check its effect before calling it again.`;
  if (outcome === 'cancelled' && wasSent(thrown)) return `${said}. It may have run.`;
  return said;
}

function orMcpError(text: string): string {
  return text.trim() === '' ? 'MCP error' : text;
}

/** Only what reached the connection, or a function of ours, can have been cut short there. */
function wasSent(thrown: unknown): boolean {
  if (!(thrown instanceof McpError)) return false;
  if (thrown.serverName === undefined) return true;
  if (!(thrown.cause instanceof RequestError)) return false;
  const { failure: cause } = thrown.cause;
  return cause.kind !== 'cancelled' || cause.isUnsent !== true;
}
