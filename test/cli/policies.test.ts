import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { CliFolder, declared } from './cli-folder.ts';

let cli: CliFolder;

const POLICIES = {
  names: { kind: 'patterns', deny: ['fail'], ask: ['add'] },
  'no-images': { kind: 'patterns', deny: ['*/image'] },
  quiet: { kind: 'patterns', deny: ['*/echo(message=*secret*)'] },
  'no-echo': { kind: 'patterns', deny: ['fixture/echo'] },
};

beforeAll(async () => {
  cli = await CliFolder.open();
  cli.declare(
    {
      fixture: declared(v2Stdio(), { policies: ['names'], enabledTools: ['echo', 'add', 'fail', 'image', 'env'] }),
      other: declared(v2Stdio(), { enabledTools: ['echo', 'add', 'fail', 'image'] }),
    },
    {
      policies: POLICIES,
      sections: { pictures: { title: 'Pictures', servers: ['fixture'], policies: ['no-images'] } },
      profiles: { default: { policies: ['quiet'] }, strict: { policies: ['no-echo'] } },
    },
  );
});

afterAll(() => cli[Symbol.asyncDispose]());

describe('call', () => {
  const refusal = "'fixture/add' matches 'add' in the policy 'names'.";

  test.for([
    ['the server', ['fixture', 'fail'], "'fixture/fail' matches 'fail' in the policy 'names'."],
    ['the section of the server', ['fixture', 'image'], "'fixture/image' matches '*/image' in the policy 'no-images'."],
    [
      'the profile default',
      ['other', 'echo', 'message=a secret'],
      "'other/echo' matches '*/echo(message=*secret*)' in the policy 'quiet'.",
    ],
    [
      'another profile',
      ['fixture', 'echo', 'message=x', '--profile', 'strict'],
      "'fixture/echo' matches 'fixture/echo' in the policy 'no-echo'.",
    ],
  ] as const)('is refused by a policy of %s', async ([, args, why]) => {
    expect(await cli.run(['call', ...args])).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `denied: Refused: ${why}\n`,
    });
  });

  test('is left alone by the policies of other servers and profiles', async () => {
    const [failed, secret] = await Promise.all([
      cli.run(['call', 'other', 'fail']),
      cli.run(['call', 'other', 'echo', 'message=a secret', '--profile', 'strict']),
    ]);
    expect([failed.stderr, secret.stdout]).toEqual(['tool-error: failed on purpose\n', 'a secret\n']);
  });

  test('that must be asked about is refused where nobody can be asked, and told how to allow it', async () => {
    expect(await cli.run(['call', 'fixture', 'add', 'a=1', 'b=2'])).toEqual({
      status: 1,
      signal: null,
      stdout: '',
      stderr: `denied: Needs approval: ${refusal} There is no terminal to ask at, so the call was refused; --yes allows it.\n`,
    });
  });

  test('--yes allows what must be asked about, and not what is refused', async () => {
    expect(await cli.run(['call', 'fixture', 'add', 'a=1', 'b=2', '--yes'])).toEqual({
      status: 0,
      signal: null,
      stdout: '3\n',
      stderr: `allowed by --yes: Needs approval: ${refusal}\n`,
    });
    expect(await cli.run(['call', 'fixture', 'fail', '--yes'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^denied: Refused/),
    });
  });

  test('a refusal is one JSON document with --json', async () => {
    const { status, stdout, stderr } = await cli.run(['call', 'fixture', 'fail', '--json']);
    const message = "Refused: 'fixture/fail' matches 'fail' in the policy 'names'.";
    expect({ status, stderr, result: JSON.parse(stdout) }).toEqual({
      status: 1,
      stderr: '',
      result: {
        success: false,
        outcome: 'denied',
        message,
        content: [{ type: 'text', text: message }],
        durationMs: expect.any(Number),
        callId: expect.any(String),
      },
    });
  });

  test('a profile that nobody declared is wrong usage', async () => {
    const { status, stderr } = await cli.run(['call', 'fixture', 'echo', '--profile', 'strikt']);
    expect([status, stderr.split('\n')[0]]).toEqual([
      2,
      "fairlead: there is no profile 'strikt'; did you mean strict?",
    ]);
  });
});

test('a refused call of a tool that was seen before starts no server', async () => {
  await using folder = await CliFolder.open();
  const received = folder.file('received');
  folder.declare(
    { recorded: declared(faulty('healthy', { received }), { policies: ['none'] }) },
    { policies: { none: { kind: 'patterns', deny: ['*'] } } },
  );
  await folder.run(['tools']);
  const before = folder.lines('received').length;
  const ended = await folder.run(['call', 'recorded', 'echo', 'message=x']);
  const byName = await folder.run(['call', 'mcp__recorded__echo', 'message=x']);
  const after = folder.lines('received').length;
  expect([before > 0, after - before, ended.status, byName.status]).toEqual([true, 0, 1, 1]);
});

test('a long result is shown whole', async () => {
  const args = JSON.stringify({ message: 'x'.repeat(120_000) });
  const { status, stdout } = await cli.run(['call', 'other', 'echo', '--args', '-'], { stdin: args });
  expect([status, stdout.length]).toEqual([0, 120_001]);
});

describe('tools', () => {
  test('lists nothing that a policy refuses, and says how many there are', async () => {
    const { status, stdout, stderr } = await cli.run(['tools']);
    expect({ status, stderr, names: stdout.match(/mcp__\w+/g) }).toEqual({
      status: 0,
      stderr: '2 tools are hidden by policy.\n',
      names: [
        'mcp__fixture__echo',
        'mcp__fixture__add',
        'mcp__fixture__env',
        'mcp__other__echo',
        'mcp__other__add',
        'mcp__other__fail',
        'mcp__other__image',
      ],
    });
  });

  test('--json leaves them out too, by the policies of the profile', async () => {
    const { stdout } = await cli.run(['tools', 'fixture', '--json', '--profile', 'strict']);
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual([
      'mcp__fixture__add',
      'mcp__fixture__env',
    ]);
  });

  test('status tells of all of them', async () => {
    const { stdout } = await cli.run(['status', '--json']);
    const [fixture] = JSON.parse(stdout) as { tools: { name: string }[] }[];
    expect(fixture?.tools.map(({ name }) => name)).toContain('fail');
  });
});

test('a policy that can never work is a mistake in the config', async () => {
  cli.write(
    'never.yaml',
    'version: 1\npolicies:\n  order: { kind: sequence, dependencies: { a/x: [a/y], a/y: [a/x] } }\n',
  );
  const { status, stderr } = await cli.run(['status', '--config', 'never.yaml']);
  expect([status, stderr.split('\n')[0]]).toEqual([
    2,
    expect.stringMatching(/^error: never\.yaml:3:10 policies\.order: found what can never work/),
  ]);
});
