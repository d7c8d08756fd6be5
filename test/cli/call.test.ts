import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { until } from '../fixtures/until.ts';
import { CliFolder, declared } from './cli-folder.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    fixture: declared(v2Stdio()),
    other: declared(faulty('exit-at-start')),
    off: declared(v2Stdio(), { enabled: false }),
    gone: { command: 'no-such-command' },
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

describe('a call that succeeds', () => {
  test('prints its text and nothing else', async () => {
    expect(await cli.run(['call', 'fixture', 'echo', 'message=hello'])).toEqual({
      status: 0,
      signal: null,
      stdout: 'hello\n',
      stderr: '',
    });
  });

  test('is one JSON document with --json', async () => {
    const { status, stdout, stderr } = await cli.run(['call', 'fixture', 'add', 'a=1', 'b:=2.5', '--json']);
    expect({ status, stderr, result: JSON.parse(stdout) }).toEqual({
      status: 0,
      stderr: '',
      result: {
        success: true,
        outcome: 'ok',
        message: 'Success',
        content: [{ type: 'text', text: '3.5' }],
        structuredContent: { sum: 3.5 },
        durationMs: expect.any(Number),
        callId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });

  test('takes the name that agents see, and arguments from stdin', async () => {
    const ending = await cli.run(['call', 'mcp__fixture__echo', '--args', '-'], { stdin: '{"message":"from stdin"}' });
    expect(ending).toMatchObject({ status: 0, stdout: 'from stdin\n' });
  });

  test('takes arguments from a file', async () => {
    cli.write('args.json', '{"message":"from a file"}');
    expect(await cli.run(['call', 'fixture', 'echo', '--args', '@args.json'])).toMatchObject({
      status: 0,
      stdout: 'from a file\n',
    });
  });

  test('sums up what is not text', async () => {
    expect((await cli.run(['call', 'fixture', 'image'])).stdout).toBe(
      [
        'one of each kind',
        '[image, image/png, 70 B]',
        '[audio, audio/wav, 44 B]',
        '[resource, fixture://text, text/plain, 8 B]',
        '[link, fixture://binary, application/octet-stream]',
        '',
      ].join('\n'),
    );
  });
});

describe('a call that fails', () => {
  test.for([
    { what: 'the tool says so', args: ['fixture', 'fail'], stderr: 'tool-error: failed on purpose\n' },
    { what: 'the server refuses', args: ['fixture', 'throw'], stderr: 'tool-error: thrown on purpose\n' },
    {
      what: 'there is no such tool',
      args: ['fixture', 'ech'],
      stderr: "invalid: fixture has no tool called 'ech'\nDid you mean echo?\n",
    },
    {
      what: 'there is no such server',
      args: ['fixtur', 'echo'],
      stderr: "invalid: no server is called 'fixtur' (declared: fixture, other, off, gone)\nDid you mean fixture?\n",
    },
    {
      what: 'there is no such name',
      args: ['mcp__fixture__ech'],
      stderr:
        "invalid: no tool is called 'mcp__fixture__ech'; list the tools to see the names\nDid you mean mcp__fixture__echo?\n",
    },
    {
      what: 'the server is switched off',
      args: ['off', 'echo'],
      stderr: expect.stringMatching(
        /^unavailable: off: is switched off, since \S+Z; toggle it on to use it\nThe config switches off off: take `enabled: false` .* from it\.\n$/,
      ),
    },
    {
      what: 'it takes too long',
      args: ['fixture', 'slow', 'ms=60000', '--timeout', '200ms'],
      stderr:
        'timeout: fixture: slow gave no answer within 200 ms. It may have run all the same: check its effect before calling it again.\n',
    },
  ])('exits with 1: $what', async ({ args, stderr }) => {
    expect(await cli.run(['call', ...args])).toEqual({ status: 1, signal: null, stdout: '', stderr });
  });

  test('exits with 1: its server cannot be started', async () => {
    const { status, stdout } = await cli.run(['call', 'gone', 'x', '--json']);
    expect({ status, result: JSON.parse(stdout) }).toEqual({
      status: 1,
      result: {
        success: false,
        outcome: 'unavailable',
        message: expect.stringContaining("gone: command 'no-such-command' not found on PATH"),
        content: [{ type: 'text', text: expect.any(String) }],
        durationMs: expect.any(Number),
        callId: expect.any(String),
      },
    });
  });

  test('is wrong usage when a value is not what the tool takes', async () => {
    const { status, stdout, stderr } = await cli.run(['call', 'fixture', 'add', 'a=1', 'b=x']);
    expect({ status, stdout, first: stderr.split('\n')[0] }).toEqual({
      status: 2,
      stdout: '',
      first: "fairlead: b must be number by the tool's schema, not 'x'",
    });
  });

  test.for([
    [['call', 'fixture'], 'fairlead: call needs TOOL: call fixture TOOL'],
    [['call', 'fixture', 'echo', 'a=b', '--args', '{}'], 'fairlead: give either --args or key=value, not both'],
    [['call', 'fixture', 'echo', '--args', '[]'], 'fairlead: --args must be a JSON object, not array'],
  ] as const)('is wrong usage: %j', async ([args, message]) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect({ status, stdout, first: stderr.split('\n')[0] }).toEqual({ status: 2, stdout: '', first: message });
  });
});

test('Ctrl-C cancels a call that was sent, says so, exits with 130 and leaves no process', async () => {
  await using folder = await CliFolder.open();
  folder.declare({ hanging: declared(faulty('hang-on-call', { received: folder.file('received') })) });
  await using running = folder.start(['call', 'hanging', 'echo', 'message=x', '--json']);
  await until(() => folder.lines('received').some((line) => line.includes('tools/call')), {
    describe: 'the call has arrived',
  });
  running.child.kill('SIGINT');
  const { status, stdout } = await running.ended;
  expect({
    status,
    outcome: (JSON.parse(stdout) as { outcome: string }).outcome,
    left: processesMarked(folder.mark),
  }).toEqual({
    status: 130,
    outcome: 'cancelled',
    left: [],
  });
  expect(folder.lines('received').at(-1)).toContain('notifications/cancelled');
});
