import { expect, test } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { McpError } from '../errors.ts';
import { Output } from './output.ts';
import { reportFailure } from './report-failure.ts';
import { UsageError } from './usage-error.ts';

function report(thrown: unknown): { readonly status: number; readonly said: string; readonly stdout: string } {
  let said = '';
  let stdout = '';
  const output = new Output({
    stdout: { write: (data) => (stdout += String(data)) },
    stderr: { write: (data) => (said += String(data)) },
    env: {},
    noColor: true,
  });
  return { status: reportFailure(thrown, output), said, stdout };
}

test('wrong usage shows the usage line of its verb', () => {
  expect(report(new UsageError('read needs URI', 'read'))).toEqual({
    status: 2,
    said: 'fairlead: read needs URI\nUsage: fairlead read SERVER URI [--out FILE] [--json]\n`fairlead help read` says more.\n',
    stdout: '',
  });
});

test('every mistake in a config is a line of its own', () => {
  const problems = [
    {
      file: 'fairlead.yaml',
      line: 3,
      column: 5,
      field: 'servers.a.comand',
      found: 'an unknown key',
      expected: 'a known key',
    },
    { file: 'fairlead.yaml', line: 4, column: 3, field: 'servers.b', found: 'text', expected: 'a map' },
  ];
  expect(report(new ConfigError(problems))).toEqual({
    status: 2,
    said: [
      'error: fairlead.yaml:3:5 servers.a.comand: found an unknown key, expected a known key',
      'error: fairlead.yaml:4:3 servers.b: found text, expected a map',
      'Correct these 2 and run the command again.',
      '',
    ].join('\n'),
    stdout: '',
  });
});

test('an error of ours is its message; one that is not has its place', () => {
  expect(report(new McpError('SERVER_UNKNOWN', "no server is called 'x'"))).toEqual({
    status: 1,
    said: "fairlead: no server is called 'x'\n",
    stdout: '',
  });
  expect(report(new TypeError('oops')).said).toMatch(/^fairlead: oops\nTypeError: oops\n +at /);
});
