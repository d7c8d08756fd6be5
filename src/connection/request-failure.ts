import { McpConnectionError, McpError, McpTimeoutError, McpToolError } from '../errors.ts';
import type { RpcError } from '../errors.ts';

/** How one request to a server failed, before anyone decides what that means to a caller. */
export type RequestFailure =
  | { readonly kind: 'timeout'; readonly afterMs: number }
  | { readonly kind: 'cancelled'; readonly isUnsent?: true }
  | { readonly kind: 'not-written'; readonly reason: 'closed' | 'overloaded' | 'unreachable'; readonly detail: string }
  | { readonly kind: 'rpc-error'; readonly error: RpcError }
  | { readonly kind: 'too-large'; readonly detail: string }
  | { readonly kind: 'invalid-result'; readonly detail: string }
  | { readonly kind: 'session-expired'; readonly detail: string; readonly status?: number }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly detail: string }
  /** Nothing was carried out; the server may say when to ask again. */
  | { readonly kind: 'rate-limited'; readonly retryAfterMs?: number; readonly detail: string }
  | { readonly kind: 'not-mcp'; readonly detail: string; readonly status?: number }
  | { readonly kind: 'probe-failed'; readonly detail: string }
  | { readonly kind: 'unsupported-version'; readonly detail: string }
  | { readonly kind: 'unsendable'; readonly detail: string }
  | { readonly kind: 'list-failed'; readonly detail: string }
  | { readonly kind: 'no-answer'; readonly detail: string };

/** A failed request on its way to whoever knows what it was for. */
export class RequestError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure, cause?: unknown) {
    super(describeFailure(failure), cause === undefined ? undefined : { cause });
    this.name = 'RequestError';
    this.failure = failure;
  }
}

/** What a request was for: the names that its error must carry. */
export interface RequestSubject {
  readonly server: string;
  readonly transport: string;
  /** The tool that was called, or undefined for every other request. */
  readonly tool?: string;
  /** The protocol method. */
  readonly method: string;
}

/** The typed error a caller gets for a failed request. */
export function toMcpError(error: RequestError, subject: RequestSubject): McpError {
  const { failure } = error;
  const { server, transport } = subject;
  const operation = subject.tool ?? subject.method;
  const connectionError = (code: McpConnectionError['code'] & ConstructorCode, what: string): McpConnectionError =>
    new McpConnectionError({ code, server, transport, message: `${server}: ${operation}: ${what}`, cause: error });
  switch (failure.kind) {
    case 'timeout':
      return new McpTimeoutError({ server, operation, timeoutMs: failure.afterMs, cause: error });
    case 'cancelled':
      return new McpError(
        'CALL_CANCELLED',
        `${server}: ${operation} was cancelled by its caller${failure.isUnsent ? ' before it was sent' : ''}`,
        {
          server,
          cause: error,
        },
      );
    case 'not-written':
      return connectionError(failure.reason === 'overloaded' ? 'OVERLOADED' : 'UNAVAILABLE', failure.detail);
    case 'session-expired':
      return connectionError('CONNECTION_LOST', failure.detail);
    case 'refused':
      return connectionError('AUTH_REQUIRED', failure.detail);
    case 'rate-limited':
      return connectionError('OVERLOADED', failure.detail);
    case 'not-mcp':
      // A call that was answered with something else than an answer may have run.
      return connectionError(subject.tool === undefined ? 'NOT_MCP' : 'CALL_AMBIGUOUS', failure.detail);
    case 'unsupported-version':
      return connectionError('VERSION_UNSUPPORTED', failure.detail);
    case 'probe-failed':
      return connectionError('CONNECT_FAILED', failure.detail);
    case 'unsendable':
      return new McpError('ARGUMENTS_INVALID', `${server}: ${operation}: ${failure.detail}`, { server, cause: error });
    case 'list-failed':
      return connectionError('LIST_FAILED', failure.detail);
    case 'no-answer':
      return connectionError(subject.tool === undefined ? 'CONNECTION_LOST' : 'CALL_AMBIGUOUS', failure.detail);
    case 'rpc-error':
    case 'too-large':
    case 'invalid-result':
      return toAnswerError(failure, subject, error);
  }
}

type ConstructorCode = ConstructorParameters<typeof McpConnectionError>[0]['code'];
type AnswerFailure = Extract<RequestFailure, { kind: 'rpc-error' | 'too-large' | 'invalid-result' }>;

function toAnswerError(failure: AnswerFailure, subject: RequestSubject, cause: RequestError): McpToolError {
  const tool = subject.tool ?? subject.method;
  const message = `${subject.server}: ${tool}: ${describeFailure(failure)}`;
  const fields = { server: subject.server, tool, message, cause };
  if (failure.kind === 'rpc-error') return new McpToolError({ ...fields, rpcError: failure.error });
  return new McpToolError({ ...fields, code: failure.kind === 'too-large' ? 'RESULT_TOO_LARGE' : 'INVALID_RESULT' });
}

function describeFailure(failure: RequestFailure): string {
  switch (failure.kind) {
    case 'timeout':
      return `no answer within ${failure.afterMs} ms`;
    case 'cancelled':
      return 'cancelled by the caller';
    case 'rpc-error':
      return failure.error.message || `MCP error ${failure.error.code}`;
    default:
      return failure.detail;
  }
}
