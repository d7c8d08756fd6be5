import { describe, expect, test } from 'vitest';
import { NameIndex, selectedNames } from './name-index.ts';

const tools = [
  { name: 'mcp__github__create_issue', tool: 'create_issue', server: 'github' },
  { name: 'mcp__gitlab__create_issue', tool: 'create_issue', server: 'gitlab' },
  { name: 'mcp__slack__slack_post_message', tool: 'slack_post_message', server: 'slack' },
  { name: 'mcp__postman__createMock', tool: 'createMock', server: 'postman' },
  { name: 'mcp__azure__search', tool: 'search', server: 'azure' },
  { name: 'native_search' },
];

function indexOfAll(): NameIndex {
  const index = new NameIndex();
  for (const tool of tools) index.add(tool);
  return index;
}

describe('NameIndex', () => {
  test.each([
    ['mcp__github__create_issue', ['mcp__github__create_issue']],
    ['create_issue', ['mcp__github__create_issue', 'mcp__gitlab__create_issue']],
    ['gitlab/create_issue', ['mcp__gitlab__create_issue']],
    ['github__create_issue', ['mcp__github__create_issue']],
    ['github.createIssue', ['mcp__github__create_issue']],
    ['Create issue', ['mcp__github__create_issue', 'mcp__gitlab__create_issue']],
    ['post_message', ['mcp__slack__slack_post_message']],
    ['create-mock', ['mcp__postman__createMock']],
    ['search', ['mcp__azure__search']],
    ['native_search', ['native_search']],
  ])('finds %s', (asked, names) => {
    expect(indexOfAll().find(asked)).toEqual(names);
  });

  test.each(['message', 'post message', 'issue', '', '___', 'x'.repeat(10_000)])('takes no name from %s', (asked) => {
    expect(indexOfAll().find(asked)).toEqual([]);
  });

  test('forgets a tool that is removed, and only that one', () => {
    const index = indexOfAll();
    for (const tool of tools.slice(0, 1)) index.remove(tool);
    expect(index.find('create_issue')).toEqual(['mcp__gitlab__create_issue']);
    expect(index.find('mcp__github__create_issue')).toEqual([]);
  });
});

describe('selectedNames', () => {
  test('reads a list of names', () => {
    expect(selectedNames(' select: a, b ,,c\nd')).toEqual(['a', 'b', 'c', 'd']);
    expect(selectedNames('select:')).toEqual([]);
  });

  test('takes nothing else for a list', () => {
    expect(selectedNames('select a file')).toBeUndefined();
  });
});
