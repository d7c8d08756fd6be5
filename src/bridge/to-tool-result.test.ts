import { describe, expect, test } from 'vitest';
import type { Outcome } from '../call/outcome.ts';
import { McpConnectionError, McpError, McpTimeoutError, McpToolError } from '../errors.ts';
import { RequestError } from '../connection/request-failure.ts';
import { fromAnswer, fromError } from './to-tool-result.ts';

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });

describe('fromAnswer', () => {
  test('says Success when it is one, and hands the content on as it is', () => {
    const content = [text('hello'), { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const];
    const structuredContent = { answer: 42 };
    expect(fromAnswer({ content, structuredContent, isError: false })).toEqual({
      success: true,
      outcome: 'ok',
      message: 'Success',
      content,
      structuredContent,
    });
    expect(fromAnswer({ content: [], isError: false })).toEqual({
      success: true,
      outcome: 'ok',
      message: 'Success',
      content: [],
    });
  });

  test('says what the server said when it is an error', () => {
    const content = [text('no such file'), text('try another')];
    expect(fromAnswer({ content, isError: true })).toEqual({
      success: false,
      outcome: 'tool-error',
      message: 'no such file\ntry another',
      content,
    });
  });

  test.each([[[]], [[text('')]], [[text(' '), text('\n')]]])(
    'says MCP error when the server says nothing: %j',
    (content) => {
      expect(fromAnswer({ content, isError: true })).toEqual({
        success: false,
        outcome: 'tool-error',
        message: 'MCP error',
        content,
      });
    },
  );
});

const connectionError = (
  code: McpConnectionError['code'] & ConstructorParameters<typeof McpConnectionError>[0]['code'],
): McpError => new McpConnectionError({ code, server: 'files', transport: 'stdio: x', message: 'files: it failed' });
const toolError = (code: ConstructorParameters<typeof McpToolError>[0]['code'] & string): McpError =>
  new McpToolError({ code, server: 'files', tool: 'read', message: 'files: it failed' });

describe('fromError', () => {
  test.each<[McpError, Outcome]>([
    [toolError('TOOL_FAILED'), 'tool-error'],
    [toolError('INVALID_RESULT'), 'tool-error'],
    [toolError('RESULT_TOO_LARGE'), 'tool-error'],
    [toolError('TOOL_UNKNOWN'), 'invalid'],
    [toolError('TOOL_QUARANTINED'), 'invalid'],
    [new McpError('SERVER_UNKNOWN', 'files: it failed'), 'invalid'],
    [new McpError('HUB_CLOSED', 'files: it failed'), 'unavailable'],
    [connectionError('UNAVAILABLE'), 'unavailable'],
    [connectionError('OVERLOADED'), 'unavailable'],
    [connectionError('SERVER_DISABLED'), 'unavailable'],
    [connectionError('SERVER_REMOVED'), 'unavailable'],
    [connectionError('AUTH_REQUIRED'), 'unavailable'],
    [connectionError('CONNECTION_LOST'), 'unavailable'],
  ])('makes of %s a result with the outcome %s', (error, outcome) => {
    const result = { success: false, outcome, message: 'files: it failed', content: [text('files: it failed')] };
    expect([fromError(error, false), fromError(error, true)]).toEqual([result, result]);
  });

  test('gives the server’s own words for an RPC error, or MCP error when it has none', () => {
    const saying = (message: string): McpError =>
      new McpToolError({
        server: 'files',
        tool: 'read',
        message: 'files: read: no',
        rpcError: { code: -32_602, message },
      });
    expect(fromError(saying('path is missing'), false)).toMatchObject({
      outcome: 'tool-error',
      message: 'path is missing',
      content: [text('path is missing')],
    });
    expect(fromError(saying(''), false)).toMatchObject({ outcome: 'tool-error', message: 'MCP error' });
  });

  test('says plainly that a call without an answer may have run, and was not repeated', () => {
    const error = connectionError('CALL_AMBIGUOUS');
    const message =
      'files: it failed. The call was sent and no answer came; it was not repeated. It may have run: check its effect before calling it again.';
    expect(fromError(error, false)).toEqual({
      success: false,
      outcome: 'ambiguous',
      message,
      content: [text(message)],
    });
    expect(fromError(error, true).message).toBe(
      'files: it failed. The call was sent and no answer came. It does no harm to call it again.',
    );
  });

  test('says after how long a call timed out, and that it may have run unless that does no harm', () => {
    const error = new McpTimeoutError({ server: 'files', operation: 'write', timeoutMs: 500 });
    expect(fromError(error, true)).toMatchObject({
      outcome: 'timeout',
      message: 'files: write gave no answer within 500 ms',
    });
    expect(fromError(error, false)).toMatchObject({
      outcome: 'timeout',
      message:
        'files: write gave no answer within 500 ms. It may have run all the same: check its effect before calling it again.',
    });
  });

  test('says of a cancelled call that it may have run unless that does no harm', () => {
    const server = 'files';
    const unsent = new McpError('CALL_CANCELLED', 'files: write was cancelled', { server });
    const cause = new RequestError({ kind: 'cancelled' });
    const sent = new McpError('CALL_CANCELLED', unsent.message, { server, cause });
    const native = new McpError('CALL_CANCELLED', 'greet was cancelled');
    const ends = [fromError(unsent, false), fromError(sent, true), fromError(sent, false), fromError(native, false)];
    expect(ends.map(({ message }) => message)).toEqual([
      'files: write was cancelled',
      'files: write was cancelled',
      'files: write was cancelled. It may have run.',
      'greet was cancelled. It may have run.',
    ]);
  });

  test.each([
    [new TypeError('a mistake of ours'), 'a mistake of ours'],
    ['text', 'text'],
    [undefined, 'undefined'],
  ])('makes a result of anything: %s', (thrown, message) => {
    expect(fromError(thrown, false)).toEqual({
      success: false,
      outcome: 'unavailable',
      message,
      content: [text(message)],
    });
  });
});
