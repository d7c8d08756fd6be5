import { NotConnectedError } from '../connection/not-connected-error.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import { RequestError, toMcpError } from '../connection/request-failure.ts';
import { McpConnectionError, McpError } from '../errors.ts';
import type { ConnectionErrorCode } from '../errors.ts';

/** Removed from the set of servers, or ended together with the hub. */
export type Leaving = 'removed' | 'closed';

const WHY_GONE: Readonly<Record<Leaving, string>> = {
  removed: 'was removed while it was being used',
  closed: 'was closed with its hub while it was being used',
};

/** A server as an error may show it. */
export interface Reached {
  readonly name: string;
  /** How it is reached, without a secret. */
  readonly transport: string;
  /** Since when it is in the state that it is in, in milliseconds since 1970. */
  readonly since: number;
}

export interface Subject {
  readonly server: Reached;
  readonly method: string;
  readonly tool?: string;
  /** Why the server was taken out of the view, if it was, while it was being used. */
  readonly leaving: Leaving | undefined;
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
    return subject.leaving ? gone(subject, thrown) : unavailable(server, thrown.state, thrown);
  }
  if (!(thrown instanceof RequestError)) return thrown;
  if (subject.leaving && thrown.failure.kind === 'not-written') return gone(subject, thrown);
  const isCut = subject.leaving !== undefined && thrown.failure.kind === 'no-answer';
  const detail = `the server ${WHY_GONE[subject.leaving ?? 'removed']}`;
  return toMcpError(isCut ? new RequestError({ kind: 'no-answer', detail }, gone(subject, thrown)) : thrown, {
    server: server.name,
    transport: server.transport,
    method,
    ...(tool !== undefined && { tool }),
  });
}

/** Why `connect` did not connect, under the code of the cause. */
export function toConnectError(server: Reached, state: ConnectionState, cause: unknown): McpConnectionError {
  if (!('failure' in state)) return unavailable(server, state, cause);
  const { code, message, cause: first } = state.failure;
  return connectionError(server, code, { message, cause: first ?? cause });
}

export function hubClosed(): McpError {
  return new McpError('HUB_CLOSED', 'the hub is closed');
}

export function serverUnknown(name: string, known: Iterable<string>): McpError {
  const names = [...known].join(', ') || 'none';
  return new McpError('SERVER_UNKNOWN', `no server is called '${name}' (declared: ${names})`, { server: name });
}

export function serverRemoved(server: Reached): McpConnectionError {
  return connectionError(server, 'SERVER_REMOVED', { message: `was removed, ${sinceWhen(server)}` });
}

export function serverDisabled(server: Reached): McpConnectionError {
  return connectionError(server, 'SERVER_DISABLED', {
    message: `is switched off, ${sinceWhen(server)}; toggle it on to use it`,
  });
}

/** The caller's own time was over before the server could be asked. */
export function notInTime(server: Reached, timeoutMs: number): McpConnectionError {
  return connectionError(server, 'UNAVAILABLE', {
    message: `was not connected within ${timeoutMs} ms; nothing was sent`,
  });
}

function unavailable(server: Reached, state: ConnectionState, cause: unknown): McpConnectionError {
  const why = 'failure' in state ? `${state.phase}: ${state.failure.message}` : state.phase;
  return connectionError(server, 'UNAVAILABLE', { message: `is not available (${why}), ${sinceWhen(server)}`, cause });
}

function sinceWhen({ since }: Reached): string {
  return `since ${new Date(since).toISOString()}`;
}

function gone({ server, leaving = 'removed' }: Subject, cause: unknown): McpConnectionError {
  const code = leaving === 'removed' ? 'SERVER_REMOVED' : 'UNAVAILABLE';
  return connectionError(server, code, { message: WHY_GONE[leaving], cause });
}

function connectionError(
  server: Reached,
  code: ConnectionErrorCode | 'SECRET_MISSING' | 'ISOLATION_UNAVAILABLE',
  details: { readonly message: string; readonly cause?: unknown },
): McpConnectionError {
  return new McpConnectionError({
    code,
    server: server.name,
    transport: server.transport,
    message: `${server.name}: ${details.message}`,
    ...(details.cause !== undefined && { cause: details.cause }),
  });
}
