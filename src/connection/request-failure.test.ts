import { describe, expect, test } from 'vitest';
import { McpConnectionError, McpError, McpTimeoutError, McpToolError } from '../errors.ts';
import { RequestError, toMcpError } from './request-failure.ts';
import type { RequestFailure, RequestSubject } from './request-failure.ts';

const call: RequestSubject = { server: 'files', transport: 'stdio: files', tool: 'read', method: 'tools/call' };
const list: RequestSubject = { server: 'files', transport: 'stdio: files', method: 'resources/list' };
const detail = 'what went wrong';
const rpcError = { code: -32_602, message: 'no such path', data: { path: '/x' } };

/** What a caller can see of an error, but for its stack. */
function shapeOf(error: McpError): object {
  return { ...error, type: error.constructor, message: error.message };
}

const connectionError = (code: string, message: string): object => ({
  type: McpConnectionError,
  name: 'McpConnectionError',
  code,
  message,
  serverName: 'files',
  transport: 'stdio: files',
});
const toolError = (code: string, message: string, more: object = {}): object => ({
  type: McpToolError,
  name: 'McpToolError',
  code,
  message,
  serverName: 'files',
  toolName: 'read',
  rpcError: undefined,
  ...more,
});

describe('toMcpError', () => {
  test.each<[RequestFailure, object]>([
    [
      { kind: 'timeout', afterMs: 500 },
      {
        type: McpTimeoutError,
        name: 'McpTimeoutError',
        code: 'CALL_TIMEOUT',
        message: 'files: read gave no answer within 500 ms',
        serverName: 'files',
        operation: 'read',
        timeoutMs: 500,
      },
    ],
    [
      { kind: 'cancelled' },
      {
        type: McpError,
        name: 'McpError',
        code: 'CALL_CANCELLED',
        message: 'files: read was cancelled by its caller',
        serverName: 'files',
      },
    ],
    [{ kind: 'not-written', reason: 'closed', detail }, connectionError('UNAVAILABLE', 'files: read: what went wrong')],
    [
      { kind: 'not-written', reason: 'unreachable', detail },
      connectionError('UNAVAILABLE', 'files: read: what went wrong'),
    ],
    [
      { kind: 'not-written', reason: 'overloaded', detail },
      connectionError('OVERLOADED', 'files: read: what went wrong'),
    ],
    [{ kind: 'session-expired', detail }, connectionError('CONNECTION_LOST', 'files: read: what went wrong')],
    [{ kind: 'refused', status: 401, detail }, connectionError('AUTH_REQUIRED', 'files: read: what went wrong')],
    [{ kind: 'refused', status: 403, detail }, connectionError('AUTH_REQUIRED', 'files: read: what went wrong')],
    [{ kind: 'rate-limited', detail }, connectionError('OVERLOADED', 'files: read: what went wrong')],
    [{ kind: 'not-mcp', detail }, connectionError('CALL_AMBIGUOUS', 'files: read: what went wrong')],
    [{ kind: 'unsupported-version', detail }, connectionError('VERSION_UNSUPPORTED', 'files: read: what went wrong')],
    [{ kind: 'list-failed', detail }, connectionError('LIST_FAILED', 'files: read: what went wrong')],
    [{ kind: 'no-answer', detail }, connectionError('CALL_AMBIGUOUS', 'files: read: what went wrong')],
    [{ kind: 'rpc-error', error: rpcError }, toolError('TOOL_FAILED', 'files: read: no such path', { rpcError })],
    [
      { kind: 'rpc-error', error: { code: -1, message: '' } },
      toolError('TOOL_FAILED', 'files: read: MCP error -1', { rpcError: { code: -1, message: '' } }),
    ],
    [{ kind: 'too-large', detail }, toolError('RESULT_TOO_LARGE', 'files: read: what went wrong')],
    [{ kind: 'invalid-result', detail }, toolError('INVALID_RESULT', 'files: read: what went wrong')],
  ])('[S1.errors] makes of $kind the error its caller can act on (%#)', (failure, shape) => {
    const error = new RequestError(failure, new Error('below'));
    const made = toMcpError(error, call);
    expect(shapeOf(made)).toEqual(shape);
    expect(made.cause).toBe(error);
  });

  test('names the method where there is no tool, and leaves no doubt about what only reads', () => {
    const noAnswer = toMcpError(new RequestError({ kind: 'no-answer', detail }), list);
    expect(shapeOf(noAnswer)).toEqual(connectionError('CONNECTION_LOST', 'files: resources/list: what went wrong'));
    const refused = toMcpError(new RequestError({ kind: 'rpc-error', error: rpcError }), list);
    expect(refused).toMatchObject({ toolName: 'resources/list', message: 'files: resources/list: no such path' });
  });
});

describe('RequestError', () => {
  test.each<[RequestFailure, string]>([
    [{ kind: 'timeout', afterMs: 500 }, 'no answer within 500 ms'],
    [{ kind: 'cancelled' }, 'cancelled by the caller'],
    [{ kind: 'rpc-error', error: rpcError }, 'no such path'],
    [{ kind: 'rpc-error', error: { code: -32_601, message: '' } }, 'MCP error -32601'],
    [{ kind: 'no-answer', detail }, 'what went wrong'],
  ])('says of %j what happened', (failure, message) => {
    const error = new RequestError(failure);
    expect({ ...error, message: error.message, hasCause: 'cause' in error }).toEqual({
      name: 'RequestError',
      failure,
      message,
      hasCause: false,
    });
  });

  test('keeps its cause', () => {
    const cause = new Error('below');
    expect(new RequestError({ kind: 'cancelled' }, cause).cause).toBe(cause);
  });
});
