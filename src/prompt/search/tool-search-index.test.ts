import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolDocument } from './tool-document.ts';
import { ToolSearchIndex } from './tool-search-index.ts';

const github = [
  tool('github', 'create_issue', 'Create a new issue in a GitHub repository.'),
  tool('github', 'list_commits', 'Get list of commits of a branch in a GitHub repository.'),
  tool('github', 'merge_pull_request', 'Merge a pull request.'),
];
const files = [
  tool('files', 'read_file', 'Read the complete contents of a file. Works only within allowed directories.'),
  tool('files', 'create_directory', 'Create a new directory or make sure that it exists.'),
  tool('files', 'move_file', 'Move or rename files and directories.'),
];
const weather = [
  tool('wetter', 'tianqi', '查询指定城市的天气预报。'),
  tool('wetter', 'keyvault', 'Certificates of a station.'),
];
const all = [...github, ...files, ...weather];

function tool(server: string, name: string, description: string): ToolDocument {
  return { name: `mcp__${server}__${name}`, tool: name, server, section: { key: server }, description };
}

function best(query: string, documents: readonly ToolDocument[] = all): string | undefined {
  return new ToolSearchIndex(documents).search(query)[0]?.name;
}

describe('search', () => {
  test.each([
    ['open a new issue on github', 'mcp__github__create_issue'],
    ['make a folder', 'mcp__files__create_directory'],
    ['renaming a file', 'mcp__files__move_file'],
    ['commit history', 'mcp__github__list_commits'],
    ['城市天气', 'mcp__wetter__tianqi'],
    ['key vault', 'mcp__wetter__keyvault'],
    ['Could you please help me? I need to merge it.', 'mcp__github__merge_pull_request'],
  ])('finds a tool for: %s', (query, name) => {
    expect(best(query)).toBe(name);
  });

  test('tells of each hit what it is, where it belongs and whether it is open', () => {
    const index = new ToolSearchIndex(all);
    expect(index.search('rename', { openSections: new Set(['github']), limit: 1 })).toEqual([
      {
        name: 'mcp__files__move_file',
        server: 'files',
        section: 'files',
        oneLine: 'Move or rename files and directories.',
        score: 1,
        isOpen: false,
      },
    ]);
  });

  test('finds a native tool, which has no server and no section', () => {
    const index = new ToolSearchIndex([{ name: 'read_result', description: 'Reads on in a long result.' }]);
    expect(index.search('long result', { openSections: new Set() })).toEqual([
      { name: 'read_result', oneLine: 'Reads on in a long result.', score: 1, isOpen: true },
    ]);
  });

  test('finds a tool for every sentence of a long request', () => {
    const request =
      'Our commits of last week have to be listed first. Afterwards create a directory for the report. ' +
      'Finally merge the pull request.';
    const names = new ToolSearchIndex(all).search(request, { limit: 3 }).map(({ name }) => name);
    expect(new Set(names)).toEqual(
      new Set(['mcp__github__list_commits', 'mcp__files__create_directory', 'mcp__github__merge_pull_request']),
    );
  });

  test('puts the tool that is called so first, then the others that fit', () => {
    const names = new ToolSearchIndex(all).search('create_directory', { limit: 3 }).map(({ name }) => name);
    expect(names[0]).toBe('mcp__files__create_directory');
    expect(names.length).toBeGreaterThan(1);
  });

  test('gives exactly what is selected, in that order and whatever the limit', () => {
    const hits = new ToolSearchIndex(all).search('select:read_file, mcp__github__create_issue,unknown', { limit: 1 });
    expect(hits.map(({ name }) => name)).toEqual(['mcp__files__read_file', 'mcp__github__create_issue']);
  });

  test('stays in the sections it is told', () => {
    const index = new ToolSearchIndex(all);
    const sections = ['files'];
    for (const query of ['create a new issue', 'create_issue', 'select:create_issue', 'select:read_file'])
      expect(index.search(query, { sections }).every(({ section }) => section === 'files')).toBe(true);
  });

  test('knows a tool by what is said of its server, section, title and parameters', () => {
    const plain = { name: 'run', server: 'alpha' };
    const rich = {
      name: 'go',
      server: 'beta',
      serverTitle: 'Kangaroo',
      serverDescription: 'Talks to wombats.',
      section: { key: 'zoo', title: 'Koalas', summary: 'Feeds platypuses.' },
      title: 'Visit',
      inputSchema: { properties: { dingoCount: { description: 'How many emus' } } },
    };
    for (const query of ['kangaroo', 'wombat', 'koala', 'platypus', 'visit', 'dingo', 'emus'])
      expect(best(query, [plain, rich])).toBe('go');
  });

  test('gives nothing for a request that says nothing', () => {
    const index = new ToolSearchIndex(all);
    for (const query of ['', '   ', '?!', 'the of and', 'xyzzy']) expect(index.search(query)).toEqual([]);
    expect(new ToolSearchIndex().search('anything')).toEqual([]);
  });

  test('takes any limit', () => {
    const index = new ToolSearchIndex(all);
    const lengths = [0, -1, 1.5, 2, Infinity].map((limit) => index.search('create', { limit }).length);
    expect(lengths).toEqual([0, 0, 2, 2, 2]);
  });
});

describe('searchSections', () => {
  test('ranks sections by their tools', () => {
    const [first] = new ToolSearchIndex(all).searchSections('rename or read a file', { limit: 1 });
    expect(first?.section).toBe('files');
    expect(first?.tools.slice(0, 2).toSorted()).toEqual(['mcp__files__move_file', 'mcp__files__read_file']);
  });
});

describe('changes', () => {
  test('replaces the tools of one server and leaves the others', () => {
    const index = new ToolSearchIndex(all);
    index.setServer('github', [{ name: 'mcp__github__fork', tool: 'fork', description: 'Fork a repository.' }]);
    expect(index.search('create_issue')).not.toContainEqual(expect.objectContaining({ server: 'github', score: 1 }));
    expect(index.search('fork')[0]).toEqual({
      name: 'mcp__github__fork',
      server: 'github',
      oneLine: 'Fork a repository.',
      score: 1,
    });
    index.setServer('github', []);
    expect(index.documents().map(({ server }) => server)).not.toContain('github');
    expect(index.size).toBe(files.length + weather.length);
  });

  test('keeps the last of two tools with one name', () => {
    const index = new ToolSearchIndex([{ name: 'a', description: 'Old text.' }]);
    index.add([{ name: 'a', description: 'New words.' }]);
    index.add([
      { name: 'b', description: 'x' },
      { name: 'b', description: 'Other words.' },
    ]);
    expect(index.size).toBe(2);
    expect(index.search('old text')).toEqual([]);
    expect(index.search('words').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

const word = fc.constantFrom(
  'create',
  'file',
  'issue',
  'list',
  'weather',
  'city',
  'get',
  'the',
  '天气',
  'searching',
  'v2',
);
const phrase = fc.array(word, { minLength: 1, maxLength: 6 });
const anyDocument: fc.Arbitrary<ToolDocument> = fc
  .record({
    server: fc.constantFrom('alpha', 'beta', 'gamma'),
    tool: phrase.map((words) => words.join('_')),
    description: fc.oneof(
      phrase.map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme' }),
    ),
  })
  .map((fields) => ({ ...fields, name: `mcp__${fields.server}__${fields.tool}`, section: { key: fields.server } }));
const anyDocuments = fc.uniqueArray(anyDocument, { maxLength: 25, selector: ({ name }) => name });
const anyQuery = fc.oneof(
  phrase.map((words) => words.join(' ')),
  fc.array(phrase.map((words) => words.join(' '))).map((sentences) => sentences.join('. ')),
  fc.string({ unit: 'grapheme' }),
);

describe('for any tools', () => {
  test('every tool is found by its name and by its selection, also after others were added', () => {
    fc.assert(
      fc.property(anyDocuments, anyDocuments, (first, second) => {
        const index = new ToolSearchIndex(first);
        index.add(second);
        for (const { name } of [...first, ...second]) {
          expect(index.search(name, { limit: 1 })[0]?.name).toBe(name);
          expect(index.search(`select:${name}`).map((hit) => hit.name)).toEqual([name]);
        }
      }),
    );
  });

  test('scores are between 0 and 1 and fall from hit to hit', () => {
    fc.assert(
      fc.property(anyDocuments, anyQuery, (documents, query) => {
        const scores = new ToolSearchIndex(documents).search(query, { limit: Infinity }).map(({ score }) => score);
        for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
      }),
    );
  });

  test('an index that was changed answers as one that was built so', () => {
    fc.assert(
      fc.property(anyDocuments, anyDocuments, anyQuery, (first, second, query) => {
        const changed = new ToolSearchIndex(first);
        for (const server of ['alpha', 'beta', 'gamma'])
          changed.setServer(
            server,
            second.filter((document) => document.server === server),
          );
        const built = new ToolSearchIndex(second.toReversed());
        expect(changed.search(query)).toEqual(built.search(query));
        expect(changed.searchSections(query)).toEqual(built.searchSections(query));
      }),
    );
  });

  test('removing a server removes its tools from every answer', () => {
    fc.assert(
      fc.property(anyDocuments, anyQuery, (documents, query) => {
        const index = new ToolSearchIndex(documents);
        index.setServer('alpha', []);
        expect(index.search(query, { limit: Infinity }).map(({ server }) => server)).not.toContain('alpha');
        expect(index.size).toBe(documents.filter(({ server }) => server !== 'alpha').length);
      }),
    );
  });
});
