import { describe, expect, test } from 'vitest';
import { section, tool } from '../../test/fixtures/prompt-sections.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import { McpServer } from '../config/server.ts';
import { coversTool } from '../policy/policy-reach.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { PromptTemplate } from './prompt-template.ts';

const git = McpServer.npm('git', '@example/mcp-server-git');
const files = McpServer.npm('fs', '@example/mcp-server-filesystem', ['/data']);

describe('policies', () => {
  const policy = (name: string): ToolPolicy => ({ name });
  const native = (name: string): ToolRef => ({ name, tool: name, source: 'native', trust: 'trusted' });
  const ofServer = (server: string): ToolRef => ({
    name: `mcp__${server}__x`,
    server,
    tool: 'x',
    source: 'mcp',
    trust: 'untrusted',
  });

  test('of a section cover its tools and servers and those within it, those of the template everything', async () => {
    const sections = [
      section('a', {
        policies: [policy('of a')],
        tools: [tool('one')],
        children: [section('b', { policies: [policy('of b')], mcps: [git], tools: [tool('two')] })],
      }),
      section('c', { policies: [policy('of c')], mcps: [git, files] }),
    ];
    const rendered = await new PromptTemplate({ ns: 'a', key: 'b', sections, policies: [policy('of all')] })
      .bind()
      .render();
    const tools = [native('one'), native('two'), ofServer('git'), ofServer('fs'), native('other')];
    const covered = rendered.policies.map(({ policy: { name }, scope }) => [
      name,
      ...tools.filter((each) => coversTool(scope, each)).map((each) => each.name),
    ]);
    expect(covered).toEqual([
      ['of a', 'one', 'two', 'mcp__git__x'],
      ['of b', 'two', 'mcp__git__x'],
      ['of c', 'mcp__git__x', 'mcp__fs__x'],
      ['of all', 'one', 'two', 'mcp__git__x', 'mcp__fs__x', 'other'],
    ]);
    expect(rendered.policies.map(({ scope }) => (scope.kind === 'section' ? scope.section : scope.kind))).toEqual([
      'a',
      'a.b',
      'c',
      'template',
    ]);
  });
});
