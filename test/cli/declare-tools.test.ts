import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { parseModule } from '../syntax-tree.ts';
import { CliFolder, declared } from './cli-folder.ts';

const FIXTURE_TYPES = `\
// Written by \`fairlead types\` from the schemas of the servers; run it again when their tools change.
// It tells the compiler what each tool takes and returns. Do not edit it.
import type {} from 'fairlead';

declare module 'fairlead' {
  interface ToolTypes {
    'mcp__fixture__add': { params: FixtureAddParams; result: FixtureAddResult };
    'mcp__fixture__echo': { params: FixtureEchoParams };
  }
}

/** Adds two numbers. */
export interface FixtureAddParams {
  a: number;
  b: number;
}

export interface FixtureAddResult {
  sum: number;
}

/** Returns the message. */
export interface FixtureEchoParams {
  message: string;
}
`;

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    fixture: declared(v2Stdio(), { enabledTools: ['echo', 'add'] }),
    twice: declared(faulty('duplicate-tools')),
    gone: { command: 'no-such-command' },
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

test('[S1.params-type] types of one server are printed; the count is no part of them', async () => {
  expect(await cli.run(['types', 'fixture'])).toEqual({
    status: 0,
    signal: null,
    stdout: FIXTURE_TYPES,
    stderr: '2 tools of 1 server\n',
  });
});

test('types of all servers go into a file; a server that is not there is named', async () => {
  cli.write('tools.d.ts', 'what was there before');
  const { status, stdout, stderr } = await cli.run(['types', '--out', 'tools.d.ts']);
  const [failure, count] = stderr.split('\n');
  expect({ status, stdout, count }).toEqual({
    status: 0,
    stdout: '',
    count: 'wrote 4 tools of 2 servers to tools.d.ts',
  });
  expect(failure).toMatch(/^gone: failed: command 'no-such-command' not found/);
  expect(readFileSync(cli.file('tools.d.ts'), 'utf8')).toContain("'mcp__twice__echo': { params: TwiceEchoParams };");
  expect(readdirSync(cli.path).filter((name) => name.startsWith('tools'))).toEqual(['tools.d.ts']);
});

test('what was seen before needs no server', async () => {
  await using folder = await openFolderOfRepeater();
  const first = await folder.run(['types']);
  folder.write('server.mjs', 'process.exit(1);');
  expect(await folder.run(['types'])).toEqual(first);
});

test('no secret that a server repeats gets into the types, whether it is connected or remembered', async () => {
  await using folder = await openFolderOfRepeater();
  const runs = [await folder.run(['types']), await folder.run(['types'])];
  const types = "/** Uses ***. */\nexport interface RepeaterSayParams {\n  token?: '***';\n}\n";
  expect(runs.map(({ stdout }) => stdout.slice(-types.length))).toEqual([types, types]);
});

test('a file that is there stays when no server answers', async () => {
  cli.write('kept.ts', 'kept');
  expect(await cli.run(['types', 'gone', '--out', 'kept.ts'])).toMatchObject({ status: 1, stdout: '' });
  expect(readFileSync(cli.file('kept.ts'), 'utf8')).toBe('kept');
});

test.for([
  [['types', 'nosuch'], 1, "fairlead: no server is called 'nosuch'"],
  [['types', 'fixture', '--out', 'no/folder.ts'], 1, 'fairlead: no/folder.ts cannot be written: ENOENT'],
  [['types', '--json'], 2, 'fairlead: types has no flag --json'],
] as const)('%j exits with %i and says why', async ([args, status, start]) => {
  const ending = await cli.run(args);
  expect({ ...ending, stderr: ending.stderr.slice(0, start.length) }).toEqual({
    status,
    signal: null,
    stdout: '',
    stderr: start,
  });
});

test('types of the reference servers parse, and every tool has its own', async () => {
  await using embedded = await CliFolder.open();
  const { status, stdout, stderr } = await embedded.run(['types']);
  parseModule(stdout);
  const count = stdout.match(/^ {4}'mcp__\w+?__[\w-]+': \{ params: \w+Params/gm)?.length;
  expect({ status, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    status: 0,
    last: `${count} tools of 4 servers`,
  });
  expect(stdout).toContain("location: 'New York' | 'Chicago' | 'Los Angeles';");
});

test('no command has left a process behind', () => {
  expect(processesMarked(cli.mark)).toEqual([]);
});

// A server that says what it should keep to itself.
const REPEATER = `
import { createInterface } from 'node:readline';
const { TOKEN } = process.env;
const inputSchema = { type: 'object', properties: { token: { const: TOKEN } } };
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } },
  'tools/list': { tools: [{ name: 'say', description: 'Uses ' + TOKEN + '.', inputSchema }] },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'unknown' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}`;

async function openFolderOfRepeater(): Promise<CliFolder> {
  const folder = await CliFolder.open();
  folder.write('server.mjs', REPEATER);
  folder.write('.env', 'TOKEN=canary-5f1d7c2e9b');
  folder.declare({ repeater: { command: process.execPath, args: ['server.mjs'], env: { TOKEN: '${TOKEN}' } } });
  return folder;
}
