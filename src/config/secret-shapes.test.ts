import { describe, expect, test } from 'vitest';
import {
  isSecretName,
  replaceArgSecrets,
  replaceTextSecrets,
  replaceUrlSecrets,
  withoutScheme,
} from './secret-shapes.ts';

const mask = () => '***';

test('recognises names that usually hold a secret', () => {
  const names = [
    ...[
      'GITHUB_TOKEN',
      'API_KEY',
      'apiKey',
      'APIKEY',
      'X-Api-Key',
      'Authorization',
      'Cookie',
      'Set-Cookie',
      'DB_PASSWORD',
    ],
    ...[
      'PGPASSWORD',
      'clientSecret',
      'AWS_SECRET_ACCESS_KEY',
      'OPENAI_KEY',
      'SENTRY_DSN',
      'MY_CREDENTIALS',
      'access_token',
    ],
    ...['GITHUBTOKEN', 'auth', 'pwd', '--token', 'sig'],
  ];
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
});

test('leaves other names alone', () => {
  const names = [
    ...['AUTHOR', 'KEYBOARD', 'MONKEY', 'MAX_TOKENS', 'TOKENIZERS_PARALLELISM', 'LOG_LEVEL', 'PATH', 'HOME', 'COMPASS'],
    ...['KEY_FILE', 'AUTH_MODE', 'TOKEN_URL', 'Content-Type', 'Accept', 'q', 'page', ''],
  ];
  expect(names.filter(isSecretName)).toEqual([]);
});

test.each([
  ['https://example.com/mcp?q=1#top', 'https://example.com/mcp?q=1#top'],
  ['https://ada:pass@example.com/mcp', 'https://ada:***@example.com/mcp'],
  ['https://ada:p@ss:w@example.com/', 'https://ada:***@example.com/'],
  ['https://token@example.com/', 'https://***@example.com/'],
  ['https://example.com/@scope/x', 'https://example.com/@scope/x'],
  ['https://example.com/?api_key=abc&q=1&token=d%20e', 'https://example.com/?api_key=***&q=1&token=***'],
  ['https://example.com/?api%5Fkey=abc', 'https://example.com/?api%5Fkey=***'],
  ['https://example.com/#access_token=abc', 'https://example.com/#access_token=***'],
  ['https://example.com/s/sk-abcdefghijklmnop1234/mcp', 'https://example.com/s/***/mcp'],
  ['https://example.com/?%=x', 'https://example.com/?%=x'],
])('%s is shown as %s', (url, shown) => {
  expect(replaceUrlSecrets(url, mask)).toBe(shown);
});

describe('in a command line', () => {
  test.each([
    [
      ['--port', '80', 'file.txt'],
      ['--port', '80', 'file.txt'],
    ],
    [
      ['--token', 'abc', '-v'],
      ['--token', '***', '-v'],
    ],
    [
      ['--token', '--verbose'],
      ['--token', '--verbose'],
    ],
    [
      ['--api-key=abc', '--name=abc'],
      ['--api-key=***', '--name=abc'],
    ],
    [
      ['-e', 'GITHUB_TOKEN=abc', '-e', 'LOG=info'],
      ['-e', 'GITHUB_TOKEN=***', '-e', 'LOG=info'],
    ],
    [
      ['--header', 'Authorization: Bearer abc'],
      ['--header', 'Authorization: ***'],
    ],
    [['--header=X-Api-Key:abc'], ['--header=X-Api-Key:***']],
    [['postgres://ada:pass@db/app'], ['postgres://ada:***@db/app']],
    [['--db=postgres://ada:pass@db/app'], ['--db=postgres://ada:***@db/app']],
    [['ghp_abcdefghijklmnopqrstuvwxyz012345'], ['***']],
    [['x eyJhbGciOiJI.eyJzdWIiOiIx.abc y'], ['x *** y']],
    [
      ['AKIAABCDEFGHIJKLMNOP', 'C:\\Users\\ada'],
      ['***', 'C:\\Users\\ada'],
    ],
    [['-----BEGIN RSA PRIVATE KEY-----\nabc\n'], ['***']],
  ])('%j is shown as %j', (args, shown) => {
    expect(replaceArgSecrets(args, mask)).toEqual(shown);
  });
});

test('a text without a secret stays as it is', () => {
  for (const text of ['', 'info', 'a: b', 'key', 'https://example.com'])
    expect(replaceTextSecrets(text, mask)).toBe(text);
});

test('the scheme of a credential is not part of it', () => {
  expect(withoutScheme('Bearer abc')).toEqual(['Bearer abc', 'abc']);
  expect(withoutScheme('basic YTpi')).toEqual(['basic YTpi', 'YTpi']);
  expect(withoutScheme('abc')).toEqual(['abc']);
  expect(withoutScheme('Bearer ')).toEqual(['Bearer ']);
});
