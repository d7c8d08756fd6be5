import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { CliFolder, declared } from './cli-folder.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    fixture: declared(v2Stdio(), { enabledTools: ['echo', 'add'] }),
    twice: declared(faulty('duplicate-tools')),
    gone: { command: 'no-such-command' },
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

describe('tools', () => {
  test('lists what agents see, grouped by server; what is held back has its reason', async () => {
    const { status, stdout, stderr } = await cli.run(['tools']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: [
        'fixture (2 tools)',
        '  mcp__fixture__echo  Returns the message.',
        '  mcp__fixture__add   Adds two numbers.',
        '',
        'twice (2 tools)',
        '  mcp__twice__echo  Returns the message.',
        '  mcp__twice__look  Returns the message, and changes nothing.',
        '  echo              quarantined: the server lists this name twice; the first is kept',
        '',
      ].join('\n'),
    });
    expect(stderr).toMatch(/^gone: failed: command 'no-such-command' not found/);
  });

  test('of one server, as JSON', async () => {
    const { status, stdout, stderr } = await cli.run(['tools', 'twice', '--json']);
    const tools = JSON.parse(stdout) as { name: string; quarantined?: string }[];
    expect({ status, stderr, tools: tools.map(({ name, quarantined }) => [name, quarantined]) }).toEqual({
      status: 0,
      stderr: '',
      tools: [
        ['mcp__twice__echo', undefined],
        ['mcp__twice__look', undefined],
        ['mcp__twice__echo', 'the server lists this name twice; the first is kept'],
      ],
    });
    expect(tools[0]).toEqual({
      name: 'mcp__twice__echo',
      server: 'twice',
      tool: 'echo',
      description: 'Returns the message.',
      inputSchema: expect.objectContaining({ type: 'object' }),
    });
  });

  test.for([['gone'], ['nosuch']])('of %s exit with 1', async ([server]) => {
    expect(await cli.run(['tools', server ?? ''])).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('resources', () => {
  test('are listed with their templates', async () => {
    expect((await cli.run(['resources', 'fixture'])).stdout).toBe(
      [
        '  fixture://text    A text. (text/plain)',
        '  fixture://binary  binary (application/octet-stream)',
        '',
        'Templates (fill in the braces)',
        '  fixture://items/{id}  One item. (text/plain)',
        '',
      ].join('\n'),
    );
  });

  test('text is printed as it is', async () => {
    expect(await cli.run(['read', 'fixture', 'fixture://items/7'])).toMatchObject({ status: 0, stdout: 'item 7' });
  });

  test('binary contents go into a file', async () => {
    const { status, stdout, stderr } = await cli.run(['read', 'fixture', 'fixture://binary', '--out', 'binary']);
    expect({ status, stdout, stderr, bytes: [...readFileSync(cli.file('binary'))] }).toEqual({
      status: 0,
      stdout: '',
      stderr: 'wrote 6 B to binary\n',
      bytes: [0, 1, 2, 253, 254, 255],
    });
  });

  test('--json gives the contents', async () => {
    const { stdout } = await cli.run(['read', 'fixture', 'fixture://text', '--json']);
    expect(JSON.parse(stdout)).toEqual([{ uri: 'fixture://text', mimeType: 'text/plain', text: 'a text' }]);
  });

  test('an unknown one exits with 1', async () => {
    const { status, stderr } = await cli.run(['read', 'fixture', 'fixture://nope']);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^fairlead: fixture: .*fixture:\/\/nope/),
    });
  });
});

describe('prompts', () => {
  test('are listed with what they take', async () => {
    expect((await cli.run(['prompts', 'fixture'])).stdout).toBe(
      '  simple                 A prompt without arguments.\n  greet name=… [tone=…]  A prompt with arguments.\n',
    );
  });

  test('are filled in', async () => {
    expect(await cli.run(['prompt', 'fixture', 'greet', 'name=Ann'])).toMatchObject({
      status: 0,
      stdout: 'user:\nGreet Ann in a friendly tone.\n',
    });
  });

  test('are JSON with --json', async () => {
    const { stdout } = await cli.run(['prompt', 'fixture', 'simple', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
    });
  });
});

test('no command has left a process behind', () => {
  expect(processesMarked(cli.mark)).toEqual([]);
});
