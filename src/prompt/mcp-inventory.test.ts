import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inventoryOf } from './mcp-inventory.ts';

const GITHUB = {
  name: 'github',
  tools: [
    { name: 'github_create_issue', description: 'Create a new issue in a repository' },
    { name: 'github_list_issues', description: 'List issues with optional filters' },
  ],
};

test('[S1.inventory] lists servers and tools in their order, under headings below those of the section', () => {
  const files = {
    name: 'filesystem',
    tools: [{ name: 'filesystem_read_file', description: 'Read contents of a file' }],
  };
  expect(inventoryOf([GITHUB, files], 0)).toEqual({
    server_names: 'github, filesystem',
    tool_count: 3,
    tools_by_server: [
      '### github\n',
      '- `github_create_issue` - Create a new issue in a repository',
      '- `github_list_issues` - List issues with optional filters\n',
      '### filesystem\n',
      '- `filesystem_read_file` - Read contents of a file',
    ].join('\n'),
  });
  expect(inventoryOf([files], 2).tools_by_server).toBe(
    '##### filesystem\n\n- `filesystem_read_file` - Read contents of a file',
  );
});

test('says so when a server has no tools, and nothing where a tool has no description', () => {
  const servers = [
    { name: 'empty', tools: [] },
    { name: 'terse', tools: [{ name: 'terse_go', description: ' \n' }] },
  ];
  expect(inventoryOf(servers, 0).tools_by_server).toBe('### empty\n\nNo tools.\n\n### terse\n\n- `terse_go`');
});

test('[S1.inventory] cuts a description at 200 characters, never through one', () => {
  const describe = (description: string): string =>
    inventoryOf([{ name: 's', tools: [{ name: 't', description }] }], 0).tools_by_server.replace(/^[^]*? - /, '');
  expect(describe('x'.repeat(200))).toBe('x'.repeat(200));
  expect(describe('x'.repeat(201))).toBe('x'.repeat(200));
  expect(describe(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
  expect(describe('one\n  two')).toBe('one two');
  fc.assert(
    fc.property(fc.array(fc.constantFrom('x', ' ', '\n', 'é', '😀'), { maxLength: 300 }), (characters) => {
      const text = characters.join('');
      const shown = describe(`a${text}`);
      const isWhole = Buffer.from(shown).toString() === shown;
      return isWhole && shown.length <= 200 && `a${text}`.replaceAll(/\s+/g, ' ').startsWith(shown);
    }),
  );
});
