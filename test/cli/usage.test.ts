import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { CliFolder } from './cli-folder.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open();
});

afterAll(() => cli[Symbol.asyncDispose]());

test('--version and --help load none of the heavy packages', async () => {
  // A loader hook sees every package that is imported.
  cli.write(
    'no-packages.mjs',
    `import { register } from 'node:module';
     register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
       if (!name.startsWith('.') && !name.startsWith('node:') && !name.startsWith('file:')) throw new Error('imported ' + name);
       return next(name, context);
     }\`));`,
  );
  const env = { NODE_OPTIONS: `--import ${cli.file('no-packages.mjs')}` };
  expect(await cli.run(['--version'], { env })).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
  expect(await cli.run(['--help'], { env })).toMatchObject({ status: 0, stdout: expect.stringContaining('Verbs:') });
  expect((await cli.run(['status'], { env })).stderr).toContain('imported ');
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
