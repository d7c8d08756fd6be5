import { expect, test } from 'vitest';
import type { ToolSpec } from '../tools/tool-spec.ts';
import { commandToTry } from './command-to-try.ts';
import type { JudgeTool } from './refused-tools.ts';

function tool(name: string, more: Partial<ToolSpec> = {}): ToolSpec {
  return {
    name: `mcp__s__${name}`,
    server: 's',
    tool: name,
    description: '',
    inputSchema: { type: 'object' },
    schemaReport: [],
    source: 'mcp',
    trust: 'untrusted',
    ...more,
  };
}

const READ_ONLY = { annotations: { readOnlyHint: true } };

test('a tool that changes nothing and needs nothing is called', () => {
  const needy = tool('read', { ...READ_ONLY, inputSchema: { type: 'object', required: ['path'] } });
  expect(commandToTry([tool('reset'), needy, tool('about', READ_ONLY)])).toEqual(['call', 's', 'about']);
});

test('where every tool may change something, they are only listed', () => {
  expect(commandToTry([tool('reset')])).toEqual(['tools', 's']);
});

test('where nothing is connected, the doctor is', () => {
  expect(commandToTry([])).toEqual(['doctor']);
});

test('a tool that a policy refuses is not named, and one that it may refuse is not called', () => {
  const tools = [tool('secret', { ...READ_ONLY, server: 'locked' }), tool('about', READ_ONLY), tool('time', READ_ONLY)];
  const verdicts = new Map([
    ['secret', 'refused'],
    ['about', 'open'],
  ] as const);
  const judge: JudgeTool = ({ tool: name }) => verdicts.get(name as 'secret') ?? 'free';
  expect(commandToTry(tools, judge)).toEqual(['call', 's', 'time']);
  expect(commandToTry(tools.slice(0, 2), judge)).toEqual(['tools', 's']);
  expect(commandToTry(tools.slice(0, 1), judge)).toEqual(['doctor']);
});
