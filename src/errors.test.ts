import { describe, expect, test } from 'vitest';
import { McpConnectionError, McpError, McpSchemaError, McpTimeoutError, McpToolError, messageOf } from './errors.ts';

const cause = new Error('what came before');

/** Every own field but the stack, and what the class chain says. */
function shapeOf(error: McpError): object {
  const { name, message, cause: kept } = error;
  const classes = [McpError, McpConnectionError, McpToolError, McpTimeoutError, McpSchemaError];
  const isA = classes.filter((type) => error instanceof type).map((type) => type.name);
  return { ...error, name, message, cause: kept, isA };
}

describe('every error carries its code, its server, its fields and its cause', () => {
  test('[S1.errors] McpError', () => {
    const error = new McpError('SERVER_UNKNOWN', "no server is called 'x'", { server: 'x', cause });
    expect(shapeOf(error)).toEqual({
      isA: ['McpError'],
      name: 'McpError',
      code: 'SERVER_UNKNOWN',
      message: "no server is called 'x'",
      serverName: 'x',
      cause,
    });
  });

  test('[S1.errors] McpConnectionError', () => {
    const error = new McpConnectionError({
      code: 'CONNECTION_REFUSED',
      server: 'github',
      transport: 'http: https://example.com/mcp',
      message: 'github: example.com cannot be reached',
      cause,
    });
    expect(shapeOf(error)).toEqual({
      isA: ['McpError', 'McpConnectionError'],
      name: 'McpConnectionError',
      code: 'CONNECTION_REFUSED',
      message: 'github: example.com cannot be reached',
      serverName: 'github',
      transport: 'http: https://example.com/mcp',
      cause,
    });
  });

  test('[S1.errors] McpToolError', () => {
    const rpcError = { code: -32_602, message: 'path is missing', data: { argument: 'path' } };
    const error = new McpToolError({
      server: 'files',
      tool: 'read',
      message: 'files: read: path is missing',
      rpcError,
      cause,
    });
    expect(shapeOf(error)).toEqual({
      isA: ['McpError', 'McpToolError'],
      name: 'McpToolError',
      code: 'TOOL_FAILED',
      message: 'files: read: path is missing',
      serverName: 'files',
      toolName: 'read',
      rpcError,
      cause,
    });
  });

  test.each(['TOOL_FAILED', 'TOOL_UNKNOWN', 'TOOL_QUARANTINED', 'INVALID_RESULT', 'RESULT_TOO_LARGE'] as const)(
    '[S1.errors] McpToolError with the code %s',
    (code) => {
      const error = new McpToolError({ code, server: 'files', tool: 'read', message: 'no' });
      expect(error).toMatchObject({ code, rpcError: undefined });
    },
  );

  test('[S1.errors] McpTimeoutError', () => {
    const error = new McpTimeoutError({ server: 'github', operation: 'create_issue', timeoutMs: 30_000, cause });
    expect(shapeOf(error)).toEqual({
      isA: ['McpError', 'McpTimeoutError'],
      name: 'McpTimeoutError',
      code: 'CALL_TIMEOUT',
      message: 'github: create_issue gave no answer within 30000 ms',
      serverName: 'github',
      operation: 'create_issue',
      timeoutMs: 30_000,
      cause,
    });
  });

  test('[S1.errors] McpSchemaError', () => {
    const error = new McpSchemaError({ server: 'github', tool: 'create_issue', reason: 'it refers to nothing', cause });
    expect(shapeOf(error)).toEqual({
      isA: ['McpError', 'McpSchemaError'],
      name: 'McpSchemaError',
      code: 'SCHEMA_UNUSABLE',
      message: 'github: the schema of create_issue cannot be used: it refers to nothing',
      serverName: 'github',
      toolName: 'create_issue',
      reason: 'it refers to nothing',
      cause,
    });
  });
});

test('[S1.errors] an error without a cause has no cause at all', () => {
  const timeout = { server: 'a', operation: 'b', timeoutMs: 1 };
  const errors = [
    new McpError('HUB_CLOSED', 'closed'),
    new McpTimeoutError(timeout),
    new McpTimeoutError({ ...timeout, cause: undefined }),
  ];
  expect(errors.map((error) => Object.hasOwn(error, 'cause'))).toEqual([false, false, false]);
});

test('a subclass made by a user is called by its own name', () => {
  class MyError extends McpError {}
  expect(new MyError('HUB_CLOSED', 'closed').name).toBe('MyError');
});

test('anything that was thrown has a text', () => {
  const unprintable = {
    toString: (): string => {
      throw new Error('no text');
    },
  };
  const thrown = [
    new Error('broken'),
    'text',
    7,
    undefined,
    null,
    Symbol('sign'),
    { a: 1 },
    Object.create(null),
    unprintable,
  ];
  expect(thrown.map(messageOf)).toEqual([
    'broken',
    'text',
    '7',
    'undefined',
    'null',
    'Symbol(sign)',
    '[object Object]',
    '[object Object]',
    '[object Object]',
  ]);
});
