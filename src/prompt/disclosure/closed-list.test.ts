import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIST_LIMITS, lineOf, renderClosedList } from './closed-list.ts';
import type { ClosedOutline } from './closed-outline.ts';

describe('a line', () => {
  test('says key, title, purpose, how many tools there are, and some of their names', () => {
    const tools = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    const line = lineOf(outline('git', { title: 'Version control', purpose: 'Reads repositories. Much.', tools }), 150);
    expect(line).toBe(
      '- git: Version control, Reads repositories. 20 tools: tool_0, tool_1, tool_2, tool_3, tool_4, tool_5, tool_6, tool_7, tool_8, tool_9, tool_10, …',
    );
  });

  test('does not say the title again that the key says', () => {
    expect(lineOf(outline('git-tools', { title: 'Git tools', tools: ['log'] }), 200)).toBe('- git-tools: 1 tool: log');
  });

  test.each<[string, Partial<ClosedOutline>]>([
    ['- a: tools unknown until opened', { hasUnknown: true }],
    ['- a: 1 tool: x; more unknown until opened', { tools: ['x'], hasUnknown: true }],
    ['- a: no tools', {}],
    ['- a (text): A', { mayOfferTools: false }],
  ])('%s', (expected, fields) => {
    expect(lineOf(outline('a', fields), 200)).toBe(expected);
  });

  test('is no longer than it may be, but for what cannot be left out', () => {
    const names = fc.array(fc.stringMatching(/^[a-z_]{1,30}$/), { maxLength: 40 });
    fc.assert(
      fc.property(names, fc.string({ maxLength: 300 }), (tools, purpose) => {
        const line = lineOf(outline('key', { tools, purpose }), 200);
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line).not.toContain('\n');
      }),
    );
  });
});

describe('the list', () => {
  test('is empty without closed sections', () => {
    expect(renderClosedList([], DEFAULT_LIST_LIMITS)).toBe('');
  });

  test('tells fewer names where there are many sections, then rolls them up by parent', () => {
    const tools = ['first_tool', 'second_tool', 'third_tool', 'fourth_tool'];
    const many = Array.from({ length: 12 }, (_, index) => outline(`s${index}`, { tools, path: `all.s${index}` }));
    const shown = (list: number): readonly string[] => renderClosedList(many, { line: 200, list }).split('\n').slice(1);
    expect(shown(2000)[0]).toBe('- all.s0: 4 tools: first_tool, second_tool, third_tool, fourth_tool');
    expect(shown(700)[0]).toBe('- all.s0: 4 tools: first_tool, second_tool, third_tool, …');
    expect(shown(100)).toEqual(['- all.…: 12 sections, 48 tools: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11']);
  });

  test('stays within its bounds however many sections there are', () => {
    const many = Array.from({ length: 5000 }, (_, index) => outline(`section-${index}`, { tools: ['one', 'two'] }));
    const { length } = renderClosedList(many, DEFAULT_LIST_LIMITS);
    expect(length).toBeLessThan(DEFAULT_LIST_LIMITS.list + 300);
    expect(length).toBeGreaterThan(DEFAULT_LIST_LIMITS.list / 2);
  });
});

function outline(key: string, fields: Partial<ClosedOutline> = {}): ClosedOutline {
  const base = { path: key, key, title: key.toUpperCase(), purpose: '', tools: [], hasUnknown: false };
  return { ...base, mayOfferTools: true, ...fields };
}
