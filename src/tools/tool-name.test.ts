import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_NAMING, toolName } from './tool-name.ts';
import type { NamedServer, NamingStyle } from './tool-name.ts';

const STYLES: readonly NamingStyle[] = ['mcp__{server}__{tool}', '{prefix}_{tool}', 'mcp_{alias}_{tool}'];

const anyServer: fc.Arbitrary<NamedServer> = fc.record(
  { name: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,63}$/), toolPrefix: fc.string({ unit: 'grapheme' }) },
  { requiredKeys: ['name'] },
);
const anyStyle = fc.constantFrom(...STYLES);
const anyTool = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom('{tool}', '{server}', '$&', 'x'.repeat(70)),
);

describe('toolName', () => {
  test.each<[NamingStyle, NamedServer, string]>([
    ['mcp__{server}__{tool}', { name: 'github' }, 'mcp__github__create_issue'],
    ['mcp__{server}__{tool}', { name: 'github', toolPrefix: 'gh' }, 'mcp__github__create_issue'],
    ['{prefix}_{tool}', { name: 'github' }, 'github_create_issue'],
    ['{prefix}_{tool}', { name: 'github', toolPrefix: 'gh' }, 'gh_create_issue'],
    ['mcp_{alias}_{tool}', { name: 'github' }, 'mcp_github_create_issue'],
  ])('[S3.registry] makes names in the style %s', (style, server, name) => {
    expect(toolName(style, server, 'create_issue')).toBe(name);
  });

  test('[S3.registry] uses mcp__{server}__{tool} unless told otherwise', () => {
    expect(DEFAULT_NAMING).toBe('mcp__{server}__{tool}');
  });

  test('puts an underscore for every character that some provider refuses', () => {
    expect(toolName(DEFAULT_NAMING, { name: 'files' }, 'read.file/now ü😀')).toBe('mcp__files__read_file_now____');
  });

  test('takes nothing in a name for a placeholder or a pattern', () => {
    expect(toolName('{prefix}_{tool}', { name: 'a', toolPrefix: '{tool}' }, 'search')).toBe('_tool__search');
    expect(toolName('{prefix}_{tool}', { name: 'a', toolPrefix: '$&' }, '$1{prefix}')).toBe('____1_prefix_');
  });

  test('keeps a name of 64 characters, and cuts a longer one to 64 with a hash', () => {
    const server = { name: 's'.repeat(20) };
    const fits = 't'.repeat(64 - 'mcp____'.length - 20);
    expect(toolName(DEFAULT_NAMING, server, fits)).toBe(`mcp__${server.name}__${fits}`);
    expect(toolName(DEFAULT_NAMING, server, `${fits}t`)).toMatch(/^mcp__s{20}__t{28}_[0-9a-f]{8}$/);
  });

  test('keeps long names apart that differ only behind the cut', () => {
    const names = ['one', 'two'].map((end) => toolName(DEFAULT_NAMING, { name: 'files' }, 'x'.repeat(80) + end));
    expect(new Set(names).size).toBe(2);
    const servers = ['a', 'b'].map((end) =>
      toolName('{prefix}_{tool}', { name: `files-${end}`, toolPrefix: 'f' }, 'x'.repeat(80)),
    );
    expect(new Set(servers).size).toBe(2);
  });

  test('[S3.registry] is a pure function into the portable alphabet, of at most 64 characters', () => {
    fc.assert(
      fc.property(anyStyle, anyServer, anyTool, (style, server, tool) => {
        const name = toolName(style, server, tool);
        expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(toolName(style, { ...server }, tool)).toBe(name);
      }),
    );
  });
});
