import { expect, test } from 'vitest';
import type { JsonObject } from '../../call/tool-ref.ts';
import { renderDeclarationFile } from './declaration-file.ts';
import type { TypedTool } from './declaration-file.ts';

const createIssue: JsonObject = {
  type: 'object',
  properties: { owner: { type: 'string' }, repo: { type: 'string' }, title: { type: 'string' } },
  required: ['owner', 'repo', 'title'],
};

test('[S1.params-type] each tool has named types of what it takes and returns, found by the name an agent sees', () => {
  const outputSchema = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };
  const tools = [
    tool('github', 'list', { inputSchema: {} }),
    tool('github', 'create_issue', { description: 'Opens an issue.', inputSchema: createIssue, outputSchema }),
  ];
  expect(renderDeclarationFile(tools)).toBe(`\
// Written by \`fairlead types\` from the schemas of the servers; run it again when their tools change.
// It tells the compiler what each tool takes and returns. Do not edit it.
import type {} from 'fairlead';

declare module 'fairlead' {
  interface ToolTypes {
    'mcp__github__create_issue': { params: GithubCreateIssueParams; result: GithubCreateIssueResult };
    'mcp__github__list': { params: GithubListParams };
  }
}

/** Opens an issue. */
export interface GithubCreateIssueParams {
  owner: string;
  repo: string;
  title: string;
}

export interface GithubCreateIssueResult {
  number: number;
}

export interface GithubListParams { [key: string]: unknown }
`);
});

test('the order of the tools does not matter', () => {
  const tools = ['b', 'a-b', 'a_b', 'a'].map((name) => tool('s', name));
  expect(renderDeclarationFile(tools)).toBe(renderDeclarationFile(tools.toReversed()));
});

test('names that would be the same are numbered, and a part never takes the name of a tool', () => {
  const inputSchema = { $defs: { result: { type: 'string' } }, properties: { a: { $ref: '#/$defs/result' } } };
  const tools = [
    tool('s', 'get-it', { inputSchema }),
    tool('s', 'get_it'),
    tool('s', 'get_it2'),
    tool('s', 'getItParams', { outputSchema: {} }),
  ];
  const names = [...renderDeclarationFile(tools).matchAll(/^export \w+ (\w+)/gm)].map(([, name]) => name);
  expect(names).toEqual([
    'SGetItParams',
    'SGetItParamsResult2',
    'SGetItParamsParams',
    'SGetItParamsResult',
    'SGetIt2Params',
    'SGetIt22Params',
  ]);
});

test.each([
  ['github', 'create_issue', 'GithubCreateIssueParams'],
  ['git-hub', 'createIssue', 'GitHubCreateIssueParams'],
  ['7zip', 'pack', 'Tool7zipPackParams'],
  ['s', '検索', 'S検索Params'],
  ['s', '→', 'SParams'],
  ['s', 'ßtrasse', 'SßtrasseParams'],
])('%s and %s make %s', (server, name, type) => {
  expect(renderDeclarationFile([tool(server, name)])).toContain(`export interface ${type} {`);
});

test('without tools it is still a module that adds nothing', () => {
  expect(renderDeclarationFile([])).toMatch(
    /^import type.*\n\ndeclare module 'fairlead' \{\n {2}interface ToolTypes \{\n {2}\}\n\}\n$/m,
  );
});

function tool(server: string, name: string, more: Partial<TypedTool> = {}): TypedTool {
  return {
    name: `mcp__${server}__${name}`,
    server,
    tool: name,
    description: '',
    inputSchema: { type: 'object' },
    ...more,
  };
}
