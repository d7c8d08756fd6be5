import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { McpConnectionError, McpError } from '../errors.ts';
import { Scrubber } from '../redaction.ts';
import type { LiveTransport, TransportEnding } from '../transport/live-transport.ts';
import { attemptFailure, lossFailure } from './connection-failure.ts';
import type { ConnectionFailure } from './connection-state.ts';
import { RequestError } from './request-failure.ts';
import type { RequestFailure } from './request-failure.ts';

const scrubber = new Scrubber();
scrubber.add('s3cr3t-value');

/** A channel that has ended so, and left this on stderr. */
function channel(ending: TransportEnding | undefined, stderr = ''): LiveTransport {
  return {
    ending,
    stderr,
    droppedMessages: 0,
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
}

const exited: TransportEnding = { kind: 'exited', exitCode: 3, signal: null };
const detail = 'what went wrong';

describe('why an attempt failed', () => {
  test.each<[RequestFailure, ConnectionFailure['code'], boolean]>([
    [{ kind: 'timeout', afterMs: 500 }, 'CONNECT_TIMEOUT', false],
    [{ kind: 'not-written', reason: 'unreachable', detail }, 'CONNECTION_REFUSED', false],
    [{ kind: 'not-written', reason: 'closed', detail }, 'CONNECT_FAILED', false],
    [{ kind: 'refused', status: 401, detail }, 'AUTH_REQUIRED', true],
    [{ kind: 'refused', status: 403, detail }, 'AUTH_REQUIRED', true],
    [{ kind: 'rate-limited', detail }, 'OVERLOADED', false],
    [{ kind: 'rate-limited', detail, retryAfterMs: 30_000 }, 'OVERLOADED', false],
    [{ kind: 'rate-limited', detail, retryAfterMs: 30_001 }, 'OVERLOADED', true],
    [{ kind: 'unsupported-version', detail }, 'VERSION_UNSUPPORTED', true],
    [{ kind: 'list-failed', detail }, 'LIST_FAILED', false],
    [{ kind: 'not-mcp', detail }, 'NOT_MCP', false],
    [{ kind: 'session-expired', detail }, 'NOT_MCP', false],
    [{ kind: 'too-large', detail }, 'PROTOCOL_ERROR', false],
    [{ kind: 'invalid-result', detail }, 'PROTOCOL_ERROR', false],
    [{ kind: 'rpc-error', error: { code: -32_603, message: detail } }, 'CONNECT_FAILED', false],
    [{ kind: 'cancelled' }, 'CONNECT_FAILED', false],
    [{ kind: 'no-answer', detail }, 'CONNECT_FAILED', false],
  ])('[S1.connect-retries] %j has the code %s; is it permanent: %s', (reason, code, permanent) => {
    const thrown = new RequestError(reason);
    expect(attemptFailure(thrown, channel({ kind: 'closed' }), scrubber)).toEqual({
      code,
      message: thrown.message,
      permanent,
      cause: thrown,
    });
  });

  test.each(['COMMAND_NOT_FOUND', 'SPAWN_FAILED', 'SECRET_MISSING', 'ISOLATION_UNAVAILABLE'] as const)(
    '[S1.connect-retries] %s is permanent',
    (code) => {
      const thrown = new McpConnectionError({
        code,
        server: 'files',
        transport: 'stdio: x',
        message: 'files: cannot start',
      });
      expect(attemptFailure(thrown, undefined, scrubber)).toEqual({
        code,
        message: 'cannot start',
        permanent: true,
        cause: thrown,
      });
    },
  );

  test('[S1.secrets] an error of ours about a command line tells no secret in it, and neither does its cause', () => {
    const cause = Object.assign(new Error('spawn s3cr3t-value ENOENT'), { spawnargs: ['s3cr3t-value'] });
    const failure = attemptFailure(
      new McpConnectionError({
        code: 'COMMAND_NOT_FOUND',
        server: 'files',
        transport: 'stdio: s3cr3t-value',
        message: 'files: s3cr3t-value not found',
        cause,
      }),
      undefined,
      scrubber,
    );
    expect(failure).toMatchObject({
      message: '*** not found',
      cause: {
        code: 'COMMAND_NOT_FOUND',
        serverName: 'files',
        transport: 'stdio: ***',
        message: 'files: *** not found',
      },
    });
    expect(inspect(failure, { depth: 9 })).not.toContain('s3cr3t-value');
  });

  test('[S1.connect-retries] a server that exited, or an error of ours that may pass, is tried again', () => {
    const ended = attemptFailure(new RequestError({ kind: 'no-answer', detail }), channel(exited), scrubber);
    const refused = new McpConnectionError({
      code: 'CONNECT_FAILED',
      server: 'files',
      transport: 'sdk: x',
      message: 'nobody there',
    });
    expect([ended.permanent, attemptFailure(refused, undefined, scrubber).permanent]).toEqual([false, false]);
  });

  test('a process that exited explains why there was no answer', () => {
    const thrown = new RequestError({ kind: 'no-answer', detail: 'Connection closed' });
    expect(attemptFailure(thrown, channel(exited, 'starting\n\nno config found\n'), scrubber)).toEqual({
      code: 'SERVER_EXITED',
      message: 'the process exited with code 3; it last wrote: starting | no config found',
      permanent: false,
      cause: thrown,
    });
  });

  test('a clearer cause is not hidden by the end of the process', () => {
    const thrown = new RequestError({ kind: 'timeout', afterMs: 500 });
    const failure = attemptFailure(thrown, channel(exited, 'loading…'), scrubber);
    expect([failure.code, failure.message]).toEqual([
      'CONNECT_TIMEOUT',
      'no answer within 500 ms; it last wrote: loading…',
    ]);
  });

  test('only the last lines of stderr are told, without secrets and cut short', () => {
    const thrown = new RequestError({ kind: 'timeout', afterMs: 500 });
    const { message } = attemptFailure(
      thrown,
      channel(undefined, `one\ntwo\n\u001B[31ms3cr3t-value\n${'x'.repeat(5000)}\n`),
      scrubber,
    );
    expect(message).toBe(`no answer within 500 ms; it last wrote: two | [31m*** | ${'x'.repeat(184)}…`);
  });

  test('a server’s own message is cut short too', () => {
    const thrown = new RequestError({ kind: 'rpc-error', error: { code: 1, message: `\u200B${'x'.repeat(100_000)}` } });
    expect(attemptFailure(thrown, undefined, scrubber).message).toBe(`${'x'.repeat(200)}…`);
  });

  test('anything else that was thrown is told without secrets, and is no cause that shows one', () => {
    const thrown = Object.assign(new TypeError('bad s3cr3t-value'), { header: 's3cr3t-value' });
    const { cause, ...failure } = attemptFailure(thrown, undefined, scrubber);
    expect(failure).toEqual({ code: 'CONNECT_FAILED', message: 'bad ***', permanent: false });
    expect({ ...(cause as Error), message: (cause as Error).message }).toEqual({
      name: 'TypeError',
      message: 'bad ***',
    });
    expect(attemptFailure(new McpError('HUB_CLOSED', 'the hub is closed'), undefined, scrubber)).toMatchObject({
      code: 'CONNECT_FAILED',
    });
  });
});

describe('why a connection was lost', () => {
  test.each<[TransportEnding | undefined, ConnectionFailure['code'], string]>([
    [exited, 'SERVER_EXITED', 'the process exited with code 3; it last wrote: bye'],
    [
      { kind: 'exited', exitCode: null, signal: 'SIGSEGV' },
      'SERVER_EXITED',
      'the process exited on SIGSEGV; it last wrote: bye',
    ],
    [{ kind: 'stdout-closed' }, 'SERVER_EXITED', 'the process closed its output; it last wrote: bye'],
    [{ kind: 'flooded', limitBytes: 64 }, 'PROTOCOL_ERROR', 'wrote 64 bytes without a line break and was stopped'],
    [{ kind: 'stalled', afterMs: 30_000 }, 'PROTOCOL_ERROR', 'did not read its input for 30000 ms and was stopped'],
    [{ kind: 'closed' }, 'CONNECTION_LOST', 'the connection was lost'],
    [undefined, 'CONNECTION_LOST', 'the connection was lost'],
  ])('%j', (ending, code, message) => {
    expect(lossFailure(channel(ending, 'bye\n'), scrubber)).toEqual({ code, message, permanent: false });
  });
});
