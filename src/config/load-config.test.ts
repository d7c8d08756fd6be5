import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { ConfigError } from './config-error.ts';
import { formatWarning } from './config-problem.ts';
import { loadConfig } from './load-config.ts';
import type { LoadConfigOptions } from './load-config.ts';

/** Writes files and gives what is needed to load them. */
async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<LoadConfigOptions & { readonly root: string }> {
  const folder = await openTemporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  for (const [name, text] of Object.entries({ 'app/.keep': '', ...files })) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), text);
  }
  return {
    root: folder.path,
    cwd: folder.file('app'),
    home: folder.file('home'),
    env: {},
    managedPath: folder.file('etc/fairlead.yaml'),
  };
}

const USER_FILE = 'home/.config/fairlead/fairlead.yaml';
const servers = (names: string, command: string) =>
  `version: 1\nservers: { ${[...names].map((name) => `${name}: { command: ${command} }`).join(', ')} }\n`;

async function mistakes(options: LoadConfigOptions): Promise<readonly string[]> {
  try {
    await loadConfig(options);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('without any file there is nothing, and no mistake', async () => {
  expect(await loadConfig(await folderWith({}))).toEqual({
    servers: [],
    policies: new Map(),
    sections: new Map(),
    profiles: new Map(),
    own: [],
    files: [],
    warnings: [],
  });
});

test('the first file to declare a server wins, and its scope is on the server', async () => {
  const options = await folderWith({
    'etc/fairlead.yaml': servers('a', 'managed'),
    'app/fairlead.local.yaml': servers('ab', 'local'),
    'app/fairlead.yaml': servers('abc', 'project'),
    'app/.mcp.json': '{ "mcpServers": { "c": { "command": "mcp" }, "d": { "command": "mcp" } } }',
    [USER_FILE]: servers('abcde', 'user'),
  });
  const config = await loadConfig(options);
  const found = config.servers.map(({ name, scope, transport }) => [
    name,
    scope,
    'command' in transport && transport.command,
  ]);
  expect(found).toEqual([
    ['a', 'managed', 'managed'],
    ['b', 'local', 'local'],
    ['c', 'project', 'project'],
    ['d', 'project', 'mcp'],
    ['e', 'user', 'user'],
  ]);
  expect(config.files.map(({ path, scope }) => [path.slice(options.root.length), scope])).toEqual([
    ['/etc/fairlead.yaml', 'managed'],
    ['/app/fairlead.local.yaml', 'local'],
    ['/app/fairlead.yaml', 'project'],
    ['/app/.mcp.json', 'project'],
    ['/home/.config/fairlead/fairlead.yaml', 'user'],
  ]);
  expect(config.warnings.map(formatWarning)).toHaveLength(8);
  expect(config.warnings.map(formatWarning)).toContain(
    '.mcp.json:1:19 mcpServers.c: not used, because fairlead.yaml declares "c" too and comes first',
  );
});

test('a server that is declared twice in the same way is no news', async () => {
  const options = await folderWith({ 'app/fairlead.yaml': servers('a', 'node'), [USER_FILE]: servers('a', 'node') });
  expect((await loadConfig(options)).warnings).toEqual([]);
});

test('a project cannot loosen a policy that the user has named', async () => {
  const policy = (effect: string) =>
    `version: 1\npolicies: { careful: { kind: permissions, destructive: ${effect} } }\n`;
  const options = await folderWith({ 'app/fairlead.yaml': policy('allow'), [USER_FILE]: policy('deny') });
  const { policies, warnings } = await loadConfig(options);
  expect(policies.get('careful')).toEqual({ kind: 'permissions', destructive: 'deny' });
  expect(warnings.map(({ file, field }) => [file, field])).toEqual([['fairlead.yaml', 'policies.careful']]);
});

test('paths are meant from the folder of the file that says them', async () => {
  const options = await folderWith({
    [USER_FILE]: 'version: 1\nservers: { a: { command: ./bin/a, cwd: work, args: [./data] } }\n',
  });
  const { servers: found } = await loadConfig(options);
  expect(found[0]?.transport).toEqual({
    kind: 'stdio',
    command: `${options.root}/home/.config/fairlead/bin/a`,
    cwd: `${options.root}/home/.config/fairlead/work`,
    args: ['./data'],
    env: {},
  });
});

describe('references', () => {
  test('may go from one file to another', async () => {
    const options = await folderWith({
      'app/fairlead.yaml': 'version: 1\nsections: { s: { title: S, servers: [a, b], policies: [p] } }\n',
      'app/.mcp.json': '{ "mcpServers": { "B": { "command": "mcp" } } }',
      [USER_FILE]: `${servers('a', 'node')}policies: { p: { kind: cache, ttl: 1 } }\nprofiles: { d: { sections: [s], servers: [a] } }\n`,
    });
    expect(await mistakes(options)).toEqual([]);
  });

  test('to nothing are mistakes, located where they stand, also in entries that have others', async () => {
    const options = await folderWith({
      'app/fairlead.yaml': `version: 1
servers:
  search: { command: node, policies: [carefull] }
policies:
  careful: { kind: permissions }
sections:
  s: { servers: [serach], policies: [x] }
profiles:
  p:
    sections: [t]
    servers: [nowhere]
`,
    });
    expect(await mistakes(options)).toEqual([
      'fairlead.yaml:3:39 servers.search.policies[0]: found "carefull", expected a name from policies; did you mean "careful"?',
      'fairlead.yaml:7:6 sections.s.title: found nothing, expected text',
      'fairlead.yaml:7:18 sections.s.servers[0]: found "serach", expected a name from servers; did you mean "search"?',
      'fairlead.yaml:7:38 sections.s.policies[0]: found "x", expected one of policies: careful',
      'fairlead.yaml:10:16 profiles.p.sections[0]: found "t", expected a name from sections; did you mean "s"?',
      'fairlead.yaml:11:15 profiles.p.servers[0]: found "nowhere", expected one of servers: search',
    ]);
  });

  test('to a group that is empty say so', async () => {
    const options = await folderWith({ 'app/fairlead.yaml': 'version: 1\nprofiles: { p: { policies: [x] } }\n' });
    expect(await mistakes(options)).toEqual([
      'fairlead.yaml:2:29 profiles.p.policies[0]: found "x", expected a name from policies, which is empty',
    ]);
  });
});

test('the mistakes of all files are told at once, in the order of files and lines', async () => {
  const options = await folderWith({
    'app/fairlead.local.yaml': 'version: 3\n',
    'app/fairlead.yaml': 'version: 1\nservers: {\n',
    'app/.mcp.json': '{ "mcpServers": 1 }',
    [USER_FILE]: 'version: 1\nx: 1\n',
  });
  expect((await mistakes(options)).map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'fairlead.local.yaml:1:10 version',
    'fairlead.yaml:3:1',
    '.mcp.json:1:17 mcpServers',
    `${options.home}/.config/fairlead/fairlead.yaml:2:1 x`,
  ]);
});

describe('trust', () => {
  const text = 'version: 1\nservers: { a: { command: node, trust: trusted } }\n';

  test.each(['app/fairlead.yaml', 'app/fairlead.local.yaml'])('in %s is a mistake', async (file) => {
    expect(await mistakes(await folderWith({ [file]: text }))).toEqual([
      expect.stringMatching(
        /^fairlead(?:\.local)?\.yaml:2:32 servers\.a\.trust: found trust in a (?:project|local) file/,
      ),
    ]);
  });

  test.each(['etc/fairlead.yaml', USER_FILE])('in %s counts', async (file) => {
    const { servers: found } = await loadConfig(await folderWith({ [file]: text }));
    expect(found.map(({ trust }) => trust)).toEqual(['trusted']);
  });

  test('in a file asked for by its path is a mistake too', async () => {
    const options = await folderWith({ 'app/other.yaml': text });
    expect(await mistakes({ ...options, configFile: 'other.yaml' })).toHaveLength(1);
  });
});

describe('one file asked for by its path', () => {
  const files = {
    'app/fairlead.yaml': servers('z', 'project'),
    'app/own.yaml': servers('a', 'node'),
    'app/own.json': '{ "version": 1, // ours\n "servers": { "a": { "command": "node" } } }',
    'app/theirs.json': '{ "mcpServers": { "A": { "command": "node", "timeout": 5 } } }',
    'app/mcp.json': '{}',
  };

  test.each(['own.yaml', 'own.json', 'theirs.json'])('%s is the only one that counts', async (configFile) => {
    const options = await folderWith(files);
    const config = await loadConfig({ ...options, configFile });
    expect(config.servers.map(({ name, scope }) => [name, scope])).toEqual([['a', 'local']]);
    expect(config.files).toEqual([{ path: `${options.cwd}/${configFile}`, scope: 'local' }]);
  });

  test('mcpServers in it means the dialect of .mcp.json', async () => {
    const [server] = (await loadConfig({ ...(await folderWith(files)), configFile: 'theirs.json' })).servers;
    expect([server?.timeoutMs, server?.displayName]).toEqual([5, 'A']);
  });

  test('so does the name mcp.json', async () => {
    expect((await loadConfig({ ...(await folderWith(files)), configFile: 'mcp.json' })).servers).toEqual([]);
  });

  test('that does not exist is a clear mistake', async () => {
    expect(await mistakes({ ...(await folderWith(files)), configFile: 'sub/nope.yaml' })).toEqual([
      'sub/nope.yaml: found no such file, expected the path of a config file',
    ]);
  });
});

describe('a file that cannot be read', () => {
  test('because it is a folder, is a mistake', async () => {
    expect(await mistakes(await folderWith({ 'app/fairlead.yaml/x': '' }))).toEqual([
      'fairlead.yaml: found a folder, expected a file',
    ]);
  });

  test.each([
    ['', 'found an empty file, expected a map that begins with `version: 1`'],
    [' \r\n\t\n', 'found an empty file, expected a map that begins with `version: 1`'],
  ])('because there is nothing in it (%j), is a mistake that says what should be', async (text, expected) => {
    const [mistake] = await mistakes(await folderWith({ 'app/fairlead.yaml': text }));
    expect(mistake).toContain(`fairlead.yaml: ${expected}`);
  });

  test.each(['utf16le', 'latin1'] as const)('because it is in %s, is a mistake', async (encoding) => {
    const text = Buffer.from('\uFEFFversion: 1 # caf\u00E9', encoding);
    expect(await mistakes(await folderWith({ 'app/fairlead.yaml': text }))).toEqual([
      'fairlead.yaml: found text that is not in UTF-8, expected a file saved as UTF-8',
    ]);
  });

  test('because it is no config at all, is a mistake', async () => {
    expect(await mistakes(await folderWith({ 'app/fairlead.yaml': '#'.repeat(2 ** 20 + 1) }))).toEqual([
      'fairlead.yaml: found more than 1 MB, expected a config file',
    ]);
  });
});
