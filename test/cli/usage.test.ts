import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { CliFolder, MAIN } from './cli-folder.ts';
import { ModuleWatch } from './loaded-modules.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open();
});

afterAll(() => cli[Symbol.asyncDispose]());

test('--version and --help load none of the heavy packages', async () => {
  const watch = await ModuleWatch.open();
  expect(await cli.run(['--version'], watch)).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
  expect(await cli.run(['--help'], watch)).toMatchObject({ status: 0, stdout: expect.stringContaining('Verbs:') });
  expect(await watch.packages()).toEqual([]);
  expect((await watch.files()).length).toBeGreaterThan(0);
  // The same watch sees packages where they are needed.
  await cli.run(['tools', '--config', 'nope.yaml'], watch);
  expect(await watch.packages()).toContain('zod');
});

describe('wrong usage exits with 2, says why on stderr, and prints nothing', () => {
  test.for([
    [['stauts'], "there is no verb 'stauts'; did you mean status?"],
    [['status', '--jsn'], 'there is no flag --jsn; did you mean --json?'],
    [['read', 'files', '--json'], 'read needs URI'],
  ] as const)('%j', async ([args, message]) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect({ status, stdout, first: stderr.split('\n')[0] }).toEqual({
      status: 2,
      stdout: '',
      first: `fairlead: ${message}`,
    });
  });
});

test('--trust-project says that it changes nothing yet, and the command goes on', async () => {
  cli.write('empty.yaml', 'version: 1\n');
  expect(await cli.run(['tools', '--json', '--config', 'empty.yaml', '--trust-project'])).toEqual({
    status: 0,
    signal: null,
    stdout: '[]\n',
    stderr: '--trust-project changes nothing yet: the config files of a project are used without asking.\n',
  });
});

test('a file that cannot be written is named as it was asked for', async () => {
  cli.write('empty.yaml', 'version: 1\n');
  const { status, stderr } = await cli.run(['types', '--config', 'empty.yaml', '--out', 'no/such/folder.d.ts']);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^fairlead: no\/such\/folder\.d\.ts cannot be written: .* '[^']*no\/such\/folder\.d\.ts'\n$/,
    ),
  });
});

test.runIf(existsSync('/dev/full'))('output that cannot be written is a failure', async () => {
  const program = `exec "${process.execPath}" "${MAIN}" --help > /dev/full`;
  const { status, stderr } = spawnSync('sh', ['-c', program], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'fairlead: cannot write to stdout: ENOSPC: no space left on device, write\n',
  });
});

test('a working directory that is gone is told without a stack', async () => {
  const program = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${MAIN}" status`;
  const { status, stderr } = spawnSync('sh', ['-c', program], { encoding: 'utf8', cwd: cli.path });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'fairlead: the folder in which this was started is gone; change to one that exists\n',
  });
});

describe('a wrong config exits with 2', () => {
  test('every mistake is located, one per line', async () => {
    cli.write('bad.yaml', 'version: 1\nservers:\n  a: { comand: node }\n  c: { url: 5 }\n');
    const { status, stdout, stderr } = await cli.run(['status', '--json', '--config', 'bad.yaml']);
    const lines = stderr.trimEnd().split('\n');
    expect({ status, stdout, places: lines.map((line) => line.split(' ').slice(0, 3).join(' ')) }).toEqual({
      status: 2,
      stdout: '',
      places: [
        'error: bad.yaml:3:6 servers.a:',
        'error: bad.yaml:3:8 servers.a.comand:',
        'error: bad.yaml:4:13 servers.c.url:',
        'Correct these 3',
      ],
    });
  });

  test.runIf(existsSync('/dev/zero'))('a file without an end', async () => {
    const { status, stderr } = await cli.run(['tools', '--config', '/dev/zero']);
    expect([status, stderr.split('\n')[0]]).toEqual([
      2,
      'error: /dev/zero: found more than 1 MB, expected a config file',
    ]);
  });

  test('a file that is not there', async () => {
    expect(await cli.run(['up', '--config', 'nope.yaml'])).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr:
        'error: nope.yaml: found no such file, expected the path of a config file\nCorrect this and run the command again.\n',
    });
  });
});
