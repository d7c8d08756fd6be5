import { expect, test } from 'vitest';
import { defineTool } from './native-tool.ts';
import { wrapTool } from './wrap-tool.ts';
import type { WrappableTool } from './wrap-tool.ts';

const ADD: WrappableTool = {
  name: 'mcp__calc__add',
  server: 'calc',
  tool: 'add',
  source: 'mcp',
  trust: 'untrusted',
  description: 'Adds.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
  outputSchema: { type: 'object' },
};

test('a wrapped tool says of itself what the bare one does, unless told otherwise', () => {
  const { execute: _, ...wrapped } = wrapTool(ADD);
  expect(wrapped).toEqual({
    name: 'mcp__calc__add',
    tool: 'mcp__calc__add',
    source: 'native',
    trust: 'trusted',
    description: 'Adds.',
    inputSchema: ADD.inputSchema,
    outputSchema: ADD.outputSchema,
    policies: [],
    timeoutMs: 600_000,
    schemaReport: [],
  });
  expect(wrapTool(ADD, { name: 'plus', description: 'More.', timeoutMs: 5 })).toMatchObject({
    name: 'plus',
    description: 'More.',
    timeoutMs: 5,
  });
});

test('a handler of its own keeps no promise of the bare tool', () => {
  expect(wrapTool(ADD, { handler: () => 'six' }).outputSchema).toBeUndefined();
});

test('a native tool cannot be wrapped', () => {
  const native = defineTool({ name: 'say', description: '', params: { type: 'object' }, handler: () => 'x' });
  expect(() => wrapTool(native)).toThrow('say is a native tool already');
});
