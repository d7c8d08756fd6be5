import { McpConnectionError, messageOf } from '../errors.ts';
import type { McpError } from '../errors.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { foreignText, safeCause } from './classify-failure.ts';
import type { ConnectionFailure } from './connection-state.ts';
import { isWorthWaiting } from './reconnect-policy.ts';
import { RequestError } from './request-failure.ts';
import type { RequestFailure } from './request-failure.ts';
import { tellingLines } from './telling-lines.ts';
import type { Scrubber } from '../redaction.ts';

const STDERR_LINES = 3;

const PERMANENT: ReadonlySet<ConnectionFailure['code']> = new Set([
  'COMMAND_NOT_FOUND',
  'SPAWN_FAILED',
  'VERSION_UNSUPPORTED',
  'SECRET_MISSING',
  'ISOLATION_UNAVAILABLE',
  'AUTH_REQUIRED',
]);

/** Why an attempt to connect failed, with what the server's process left behind. */
export function attemptFailure(
  thrown: unknown,
  transport: LiveTransport | undefined,
  scrubber: Scrubber,
): ConnectionFailure {
  if (thrown instanceof McpConnectionError && isConnectionCode(thrown)) {
    return failure(thrown.code, scrubber.scrub(withoutName(thrown)), scrubbed(thrown, scrubber));
  }
  const ended = transport && endingOf(transport, scrubber);
  if (thrown instanceof RequestError) {
    const code = codeOf(thrown.failure);
    if (code === 'CONNECT_FAILED' && ended) return failure(ended.code, ended.message, thrown);
    const stderr = transport === undefined ? '' : lastLines(transport, scrubber);
    const told = failure(code, `${foreignText(thrown.message, scrubber)}${stderr}`, thrown);
    return isWorthWaiting(askedDelayMs(thrown)) ? told : { ...told, permanent: true };
  }
  return failure('CONNECT_FAILED', foreignText(messageOf(thrown), scrubber), safeCause(thrown, scrubber));
}

/** How long a server asked to be left alone when it refused an attempt. */
export function askedDelayMs(thrown: unknown): number {
  if (!(thrown instanceof RequestError) || thrown.failure.kind !== 'rate-limited') return 0;
  return thrown.failure.retryAfterMs ?? 0;
}

/** Why a connection that had stood is gone. */
export function lossFailure(transport: LiveTransport, scrubber: Scrubber): ConnectionFailure {
  const ended = endingOf(transport, scrubber);
  return failure(ended?.code ?? 'CONNECTION_LOST', ended?.message ?? 'the connection was lost', undefined);
}

function endingOf(
  transport: LiveTransport,
  scrubber: Scrubber,
): Pick<ConnectionFailure, 'code' | 'message'> | undefined {
  const { ending } = transport;
  const stderr = lastLines(transport, scrubber);
  switch (ending?.kind) {
    case 'exited': {
      const how = ending.signal === null ? `with code ${ending.exitCode}` : `on ${ending.signal}`;
      return { code: 'SERVER_EXITED', message: `the process exited ${how}${stderr}` };
    }
    case 'stdout-closed':
      return { code: 'SERVER_EXITED', message: `the process closed its output${stderr}` };
    case 'flooded':
      return {
        code: 'PROTOCOL_ERROR',
        message: `wrote ${ending.limitBytes} bytes without a line break and was stopped`,
      };
    case 'stalled':
      return { code: 'PROTOCOL_ERROR', message: `did not read its input for ${ending.afterMs} ms and was stopped` };
    default:
      return undefined;
  }
}

function codeOf(reason: RequestFailure): ConnectionFailure['code'] {
  switch (reason.kind) {
    case 'timeout':
      return 'CONNECT_TIMEOUT';
    case 'not-written':
      return reason.reason === 'unreachable' ? 'CONNECTION_REFUSED' : 'CONNECT_FAILED';
    case 'refused':
      return 'AUTH_REQUIRED';
    case 'rate-limited':
      return 'OVERLOADED';
    case 'unsupported-version':
      return 'VERSION_UNSUPPORTED';
    case 'list-failed':
      return 'LIST_FAILED';
    case 'not-mcp':
    case 'session-expired':
      return 'NOT_MCP';
    case 'too-large':
    case 'invalid-result':
      return 'PROTOCOL_ERROR';
    case 'rpc-error':
    case 'probe-failed':
    case 'unsendable':
    case 'cancelled':
    case 'no-answer':
      return 'CONNECT_FAILED';
  }
}

function failure(code: ConnectionFailure['code'], message: string, cause: unknown): ConnectionFailure {
  return { code, message, permanent: PERMANENT.has(code), ...(cause !== undefined && { cause }) };
}

function lastLines(transport: LiveTransport, scrubber: Scrubber): string {
  const last = tellingLines(scrubber.scrub(transport.stderr), STDERR_LINES);
  return last.length === 0 ? '' : `; it last wrote: ${foreignText(last.join(' | '), scrubber)}`;
}

function isConnectionCode(error: McpError): error is McpError & { code: ConnectionFailure['code'] } {
  return error instanceof McpConnectionError;
}

/** A command line with its secrets in place stands in the message of what could not be started, and in its cause. */
function scrubbed(error: McpConnectionError & { code: ConnectionFailure['code'] }, scrubber: Scrubber): Error {
  const { code, serverName: server, transport, message, cause } = error;
  return new McpConnectionError({
    code,
    server,
    transport: scrubber.scrub(transport),
    message: scrubber.scrub(message),
    ...(cause !== undefined && { cause: safeCause(cause, scrubber) }),
  });
}

/** Errors carry their server's name in front; a view puts its own name there. */
function withoutName(error: McpError): string {
  const prefix = `${error.serverName ?? ''}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}
