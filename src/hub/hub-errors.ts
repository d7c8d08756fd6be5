import { describeTransport } from '../config/masked-config.ts';
import type { McpServer } from '../config/server.ts';
import { NotConnectedError } from '../connection/not-connected-error.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { RequestError, toMcpError } from '../connection/request-failure.ts';
import { McpConnectionError, McpError } from '../errors.ts';
import type { ConnectionErrorCode } from '../errors.ts';

export interface Subject {
  readonly server: McpServer;
  readonly method: string;
  readonly tool?: string;
  /** The server was taken out of the view while it was being used. */
  readonly isRemoved: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The typed error for whatever went wrong while a server was being used. */
export function toHubError(thrown: unknown, subject: Subject): unknown {
  const { server, method, tool, signal } = subject;
  if (thrown instanceof McpError) return thrown;
  const operation = tool ?? method;
  if (signal?.aborted && !(thrown instanceof RequestError)) {
    return new McpError('CALL_CANCELLED', `${server.name}: ${operation} was cancelled before it was sent`, {
      server: server.name,
      cause: thrown,
    });
  }
  if (thrown instanceof NotConnectedError) {
    return subject.isRemoved ? removed(subject, thrown) : unavailable(server, thrown.state, thrown);
  }
  if (!(thrown instanceof RequestError)) return thrown;
  if (subject.isRemoved && thrown.failure.kind === 'not-written') return removed(subject, thrown);
  const cause = subject.isRemoved ? removed(subject, thrown) : undefined;
  const error =
    cause && thrown.failure.kind === 'no-answer'
      ? new RequestError({ kind: 'no-answer', detail: cause.message }, cause)
      : thrown;
  return toMcpError(error, {
    server: server.name,
    transport: describeTransport(server.transport),
    method,
    ...(tool !== undefined && { tool }),
  });
}

/** Why `connect` did not connect, under the code of the cause. */
export function toConnectError(server: McpServer, state: ConnectionState, cause: unknown): McpConnectionError {
  if (!('failure' in state)) return unavailable(server, state, cause);
  const { code, message, cause: first } = state.failure;
  return connectionError(server, code, { message, cause: first ?? cause });
}

export function serverUnknown(name: string, known: Iterable<string>): McpError {
  const names = [...known].join(', ') || 'none';
  return new McpError('SERVER_UNKNOWN', `no server is called '${name}' (declared: ${names})`, { server: name });
}

export function serverDisabled(server: McpServer): McpConnectionError {
  return connectionError(server, 'SERVER_DISABLED', { message: 'is switched off; toggle it on to use it' });
}

function unavailable(server: McpServer, state: ConnectionState, cause: unknown): McpConnectionError {
  const why = 'failure' in state ? `${state.phase}: ${state.failure.message}` : state.phase;
  return connectionError(server, 'UNAVAILABLE', { message: `is not available (${why})`, cause });
}

function removed({ server }: Subject, cause: unknown): McpConnectionError {
  return connectionError(server, 'SERVER_REMOVED', { message: 'was removed while it was being used', cause });
}

function connectionError(
  server: McpServer,
  code: ConnectionErrorCode | 'SECRET_MISSING' | 'ISOLATION_UNAVAILABLE',
  details: { readonly message: string; readonly cause?: unknown },
): McpConnectionError {
  return new McpConnectionError({
    code,
    server: server.name,
    transport: describeTransport(server.transport),
    message: `${server.name}: ${details.message}`,
    ...(details.cause !== undefined && { cause: details.cause }),
  });
}
