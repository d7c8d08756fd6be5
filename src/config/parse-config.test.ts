import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatProblem } from './config-problem.ts';
import { parseConfig } from './parse-config.ts';
import { McpServer } from './server.ts';
import { parseYamlDocument } from './yaml-document.ts';

const parse = (text: string) => parseConfig(parseYamlDocument(text, 'fairlead.yaml'), 'project');
const mistakes = (text: string) => parse(text).problems.map(formatProblem);

test('reads servers, policies, sections and profiles', () => {
  const config = parse(`
version: 1
servers:
  files:  { command: npx, args: [-y, "@modelcontextprotocol/server-filesystem", ./data] }
  search: { url: "https://search.example.com/mcp", headers: { Authorization: "Bearer \${SEARCH_TOKEN}" }, enabledTools: [search], policies: [careful] }
policies: { careful: { kind: permissions, destructive: ask }, order: { kind: sequence, dependencies: { "git/git_commit": ["git/git_diff"] } } }
sections: { research: { title: Research, summary: Web search., visibility: summary, servers: [search] } }
profiles: { default: { sections: [research], disclosure: sections, policies: [order] } }
`);
  expect(config).toMatchObject({ problems: [], warnings: [] });
  expect([config.servers, config.policies, config.sections, config.profiles].flat()).toEqual([
    {
      name: 'files',
      path: ['servers', 'files'],
      value: McpServer.stdio('files', 'npx', ['-y', '@modelcontextprotocol/server-filesystem', './data'], {
        scope: 'project',
      }),
    },
    {
      name: 'search',
      path: ['servers', 'search'],
      value: McpServer.http('search', 'https://search.example.com/mcp', {
        headers: { Authorization: 'Bearer ${SEARCH_TOKEN}' },
        enabledTools: ['search'],
        policies: ['careful'],
        scope: 'project',
      }),
    },
    { name: 'careful', path: ['policies', 'careful'], value: { kind: 'permissions', destructive: 'ask' } },
    {
      name: 'order',
      path: ['policies', 'order'],
      value: { kind: 'sequence', dependencies: { 'git/git_commit': ['git/git_diff'] } },
    },
    {
      name: 'research',
      path: ['sections', 'research'],
      value: { title: 'Research', summary: 'Web search.', visibility: 'summary', servers: ['search'] },
    },
    {
      name: 'default',
      path: ['profiles', 'default'],
      value: { sections: ['research'], disclosure: 'sections', policies: ['order'] },
    },
  ]);
});

test('reads every kind of policy, in either spelling', () => {
  const { policies, problems } = parse(`
version: 1
policies:
  a: { kind: permissions, read_only: allow, openWorld: ask, contained: allow, unannotated: deny }
  b: { kind: read-before-write, read: ["fs/read_*"], write: ["fs/write_*"], path_arguments: [file] }
  c: { kind: patterns, allow: ["git/*"], deny: ["*/delete_*", "sh/run(command=*rm -rf*)"], otherwise: deny }
  d: { kind: rate-limit, calls: 10, window: 1m, per: tool, shared: true }
  e: { kind: cache, ttl: 30, tools: ["search/*"], maxEntries: 100, max_bytes: 1000 }
  f: { kind: read-before-write }
`);
  expect(problems).toEqual([]);
  expect(policies.map(({ value }) => value)).toEqual([
    { kind: 'permissions', readOnly: 'allow', openWorld: 'ask', contained: 'allow', unannotated: 'deny' },
    { kind: 'read-before-write', read: ['fs/read_*'], write: ['fs/write_*'], pathArguments: ['file'] },
    { kind: 'patterns', allow: ['git/*'], deny: ['*/delete_*', 'sh/run(command=*rm -rf*)'], otherwise: 'deny' },
    { kind: 'rate-limit', calls: 10, window: '1m', per: 'tool', shared: true },
    { kind: 'cache', ttl: 30, tools: ['search/*'], maxEntries: 100, maxBytes: 1000 },
    { kind: 'read-before-write' },
  ]);
});

test('tells every mistake with its line, column and field', () => {
  const text = `version: 2
serverz: {}
servers:
  a: { comand: npx }
  b:
    command: node
    isolation: maybe
    trust: trusted
  Bad Name: { command: npx }
policies:
  p: { kind: permisions }
  q: { kind: rate-limit, calls: 0, windw: 3 }
sections:
  s: { visibility: none }
profiles:
  t: { disclosure: 1 }
`;
  expect(mistakes(text).toSorted()).toEqual(
    [
      'fairlead.yaml:1:10 version: found 2, expected the number 1, as in `version: 1`',
      'fairlead.yaml:2:1 serverz: found an unknown key, expected a known key; did you mean "servers"?',
      'fairlead.yaml:4:6 servers.a: found neither a command nor a url, expected a command for a stdio server, or a url for a remote one',
      'fairlead.yaml:4:8 servers.a.comand: found an unknown key, expected a known key; did you mean "command"?',
      'fairlead.yaml:7:16 servers.b.isolation: found "maybe", expected "required", "preferred", "off" or a map',
      "fairlead.yaml:8:5 servers.b.trust: found trust in a project file, expected no trust here: only the user's own or the managed file may say whom to trust",
      'fairlead.yaml:9:3 servers["Bad Name"]: found "Bad Name", expected a name that matches ^[a-z0-9][a-z0-9_-]{0,63}$, such as "bad-name"',
      'fairlead.yaml:11:14 policies.p.kind: found "permisions", expected "permissions", "sequence", "read-before-write", "patterns", "rate-limit" or "cache"',
      'fairlead.yaml:12:6 policies.q.window: found nothing, expected a positive duration such as 30, "30s", "500ms" or "2m"',
      'fairlead.yaml:12:33 policies.q.calls: found 0, expected at least 1',
      'fairlead.yaml:12:36 policies.q.windw: found an unknown key, expected a known key; did you mean "window"?',
      'fairlead.yaml:14:6 sections.s.title: found nothing, expected text',
      'fairlead.yaml:14:20 sections.s.visibility: found "none", expected "full" or "summary"',
      'fairlead.yaml:16:20 profiles.t.disclosure: found 1, expected "auto", "eager", "sections" or "search"',
    ].toSorted(),
  );
});

test('a pattern that cannot be read is told with its column', () => {
  const text =
    'version: 1\npolicies:\n  p: { kind: patterns, deny: ["a/b", "a/("] }\n  q: { kind: sequence, dependencies: { "/a": [b] } }\n';
  expect(mistakes(text)).toEqual([
    'fairlead.yaml:3:38 policies.p.deny[1]: found "a/(", expected another pattern; tool pattern "a/(", column 3: found "(", expected the name of a tool',
    'fairlead.yaml:4:40 policies.q.dependencies["/a"]: found "/a", expected another pattern; tool pattern "/a", column 1: found "/", expected the name of a server before the /',
  ]);
});

test.each([
  ['# nothing', 'fairlead.yaml:1:1: found an empty value, expected a map that begins with `version: 1`'],
  ['TOKEN=canary\n', 'fairlead.yaml:1:1: found text, expected a map that begins with `version: 1`'],
  ['- a\n', 'fairlead.yaml:1:1: found a list, expected a map'],
  ['servers: {}\n', 'fairlead.yaml:1:1 version: found nothing, expected the number 1, as in `version: 1`'],
  ['version: 1\nservers: [a]\n', 'fairlead.yaml:2:10 servers: found a list, expected a map'],
  ['version: 1\nservers: {\n', 'fairlead.yaml:3:1: found invalid YAML'],
])('%j is refused', (text, message) => {
  expect(mistakes(text)[0]).toContain(message);
});

test('empty parts are no mistakes', () => {
  expect(mistakes('version: 1\nservers:\npolicies:\nsections: {}\n')).toEqual([]);
});

test('no text makes it throw', () => {
  const line = fc.constantFrom(
    'version: 1',
    'servers:',
    '  a: {command: x}',
    '  b: [',
    'policies: {p: {kind: cache}}',
    '- x',
    ': :',
    '  &a *a',
  );
  fc.assert(fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => void parse(lines.join('\n'))));
});

test('a policy that can never work is a mistake with a place', () => {
  const text = 'version: 1\npolicies:\n  order: { kind: sequence, dependencies: { a/x: [a/y], a/y: [a/x] } }\n';
  expect(mistakes(text)).toEqual([
    "fairlead.yaml:3:10 policies.order: found what can never work (policy 'order': these wait for each other for ever: a/x → a/y → a/x), expected a policy that can",
  ]);
});
