import { expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { formatField, formatWarning } from './config-problem.ts';

test('the message has one line for each problem, with its place', () => {
  const problems = [
    { file: 'fairlead.yaml', line: 3, column: 5, field: 'servers.a', found: '12', expected: 'a map' },
    { file: 'x.yaml', field: '', found: 'no such file', expected: 'a file' },
    { field: 'a.url', found: 'nothing', expected: 'a url' },
    { field: '', found: 'a list', expected: 'a map' },
  ];
  const error = new ConfigError(problems, { server: 'a' });
  expect({ ...error, message: error.message }).toEqual({
    name: 'ConfigError',
    code: 'CONFIG_INVALID',
    serverName: 'a',
    problems,
    message: [
      'fairlead.yaml:3:5 servers.a: found 12, expected a map',
      'x.yaml: found no such file, expected a file',
      'a.url: found nothing, expected a url',
      'found a list, expected a map',
    ].join('\n'),
  });
});

test('a warning has its place too', () => {
  const warning = { file: '.mcp.json', line: 1, column: 2, field: 'a', message: 'not used' };
  expect(formatWarning(warning)).toBe('.mcp.json:1:2 a: not used');
});

test('a field is written as in code', () => {
  expect(formatField(['servers', 'my-server', 'args', 0])).toBe('servers.my-server.args[0]');
  expect(formatField(['sections', 'mcp.integrations', 'title'])).toBe('sections["mcp.integrations"].title');
  expect(formatField([])).toBe('');
});
