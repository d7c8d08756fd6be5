import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpConnectionError } from '../errors.ts';
import { parseServer } from './parse-server.ts';
import { resolveSecrets } from './resolve-secrets.ts';
import { environmentSource } from './secret-sources.ts';
import type { SecretSource } from './secret-sources.ts';
import { McpServer } from './server.ts';

const from = (env: Readonly<Record<string, string>>) => [environmentSource(env)];

describe('puts values in the place of references', () => {
  test('[S2.credentials] in the environment of a process, not in its command line', async () => {
    const server = McpServer.stdio('a', '${BIN}', ['${TOKEN}'], {
      env: { T: 'x-${TOKEN}', L: '${LOG:-info}' },
      cwd: '${TOKEN}',
    });
    expect(await resolveSecrets(server, from({ TOKEN: 'secret-1', BIN: 'node' }))).toEqual({
      transport: {
        kind: 'stdio',
        command: '${BIN}',
        args: ['${TOKEN}'],
        env: { T: 'x-secret-1', L: 'info' },
        cwd: '${TOKEN}',
      },
      secrets: ['secret-1'],
    });
  });

  test('in the command line too for a server from .mcp.json', async () => {
    const raw = { command: '${BIN}/run', args: ['--dir', '${DIR:-/tmp}'] };
    const server = parseServer('a', raw, { dialect: 'mcp-json' });
    expect(await resolveSecrets(server, from({ BIN: '/opt/bin' }))).toEqual({
      transport: { kind: 'stdio', command: '/opt/bin/run', args: ['--dir', '/tmp'], env: {} },
      secrets: ['/opt/bin'],
    });
  });

  test.each(['http', 'sse'] as const)(
    '[S2.credentials] in the url, headers and client secret of an %s server',
    async (kind) => {
      const server = McpServer[kind]('a', '${BASE}/mcp', {
        headers: { Authorization: 'Bearer ${TOKEN}', 'X-Team': 'blue' },
        oauth: { clientId: '${TOKEN}', clientSecret: '${CLIENT}' },
      });
      const values = { BASE: 'https://example.com', TOKEN: 'secret-1', CLIENT: 'secret-2' };
      expect(await resolveSecrets(server, from(values))).toEqual({
        transport: {
          kind,
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer secret-1', 'X-Team': 'blue' },
          oauth: { clientId: '${TOKEN}', clientSecret: 'secret-2' },
        },
        secrets: ['https://example.com', 'secret-1', 'secret-2', 'Bearer secret-1'],
      });
    },
  );

  test('in the url of a claude.ai connector; a server in this process has none', async () => {
    const proxy = McpServer.claudeAiProxy('a', 'https://example.com/${ID}', 'id');
    const sdk = McpServer.sdk('a');
    expect((await resolveSecrets(proxy, from({ ID: 'x' }))).transport).toMatchObject({ url: 'https://example.com/x' });
    expect(await resolveSecrets(sdk, [])).toEqual({ transport: sdk.transport, secrets: [] });
  });

  test('once: a value that looks like a reference stays as it is', async () => {
    const server = McpServer.stdio('a', 'node', [], { env: { A: '${A}' } });
    const { transport } = await resolveSecrets(server, from({ A: '${B} $& ${A}', B: 'x' }));
    expect(transport).toMatchObject({ env: { A: '${B} $& ${A}' } });
  });

  test('a default counts when there is no value, or an empty one', async () => {
    const server = McpServer.stdio('a', 'node', [], { env: { A: '${A:-x}', B: '${B:-x}', C: '${C}', D: '${D:-}' } });
    const { transport, secrets } = await resolveSecrets(server, from({ B: '', C: '' }));
    expect([transport, secrets]).toEqual([expect.objectContaining({ env: { A: 'x', B: 'x', C: '', D: '' } }), []]);
  });

  test('the first source that knows a name gives its value', async () => {
    const asked: string[] = [];
    const second: SecretSource = {
      name: 'second',
      get(name) {
        asked.push(name);
        return Promise.resolve(`second-${name}`);
      },
    };
    const server = McpServer.stdio('a', 'node', [], { env: { A: '${A}', B: '${B}' } });
    const { transport } = await resolveSecrets(server, [environmentSource({ A: 'first' }), second]);
    expect([transport, asked]).toEqual([expect.objectContaining({ env: { A: 'first', B: 'second-B' } }), ['B']]);
  });

  test('leaves the declared server as it was', async () => {
    const server = McpServer.stdio('a', 'node', [], { env: { A: '${A}' } });
    await resolveSecrets(server, from({ A: 'secret-1' }));
    expect(server.transport).toMatchObject({ env: { A: '${A}' } });
  });
});

describe('[S1.secrets] gives every value that must not be seen again', () => {
  test('values by the names of variables and headers, with and without their scheme', async () => {
    const stdio = McpServer.stdio('a', 'node', [], {
      env: { API_KEY: 'key-1', LOG: 'info', DB: 'postgres://u:pw-1@db/x' },
    });
    const http = McpServer.http('a', 'https://example.com', {
      headers: { Authorization: 'Basic dTpw', Cookie: 'sid=1', Accept: 'text/plain' },
    });
    expect((await resolveSecrets(stdio, [])).secrets).toEqual(['key-1', 'pw-1']);
    expect((await resolveSecrets(http, [])).secrets).toEqual(['Basic dTpw', 'dTpw', 'sid=1']);
  });

  test('what a url holds, as it is written and as it is meant', async () => {
    const server = McpServer.http('a', 'https://ada:p%40ss@example.com/mcp?token=a%20b&q=1');
    expect((await resolveSecrets(server, [])).secrets).toEqual(['p%40ss', 'p@ss', 'a%20b', 'a b']);
  });

  test('what a command line holds', async () => {
    const server = McpServer.stdio('a', 'node', [
      '--token',
      'abc-1',
      '--header=Authorization: Bearer abc-2',
      '--port',
      '80',
    ]);
    expect((await resolveSecrets(server, [])).secrets).toEqual(['abc-1', 'Bearer abc-2', 'abc-2']);
  });

  test('every resolved reference, wherever it stands', async () => {
    const value = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(value, value, async (first, second) => {
        const server = McpServer.stdio('a', 'node', [], { env: { PLAIN: 'a ${A} b', OTHER: '${B:-x}' } });
        const { secrets } = await resolveSecrets(server, from({ A: first, B: second }));
        expect(secrets).toEqual(expect.arrayContaining([first, second]));
      }),
    );
  });
});

describe('a missing secret', () => {
  test('fails the server, naming the variables, their fields and what to do', async () => {
    const server = McpServer.http('github', 'https://example.com/${ORG}', {
      headers: { Authorization: 'Bearer ${GITHUB_TOKEN}', 'X-Again': '${GITHUB_TOKEN}', 'X-Key': 'canary-1' },
    });
    const sources = [environmentSource({ OTHER: 'canary-2' }), { name: '.env', get: () => Promise.resolve(undefined) }];
    const error: unknown = await resolveSecrets(server, sources).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(McpConnectionError);
    expect(error).toMatchObject({
      code: 'SECRET_MISSING',
      serverName: 'github',
      transport: 'http: https://example.com/${ORG}',
      message:
        'github: ORG (in url), GITHUB_TOKEN (in headers.Authorization) are not set. Set them in the environment or .env, or give a default: ${ORG:-…}.',
    });
    expect(inspect(error, { depth: 10 })).not.toContain('canary');
  });

  test('is not excused by a default elsewhere', async () => {
    const server = McpServer.stdio('a', 'node', [], { env: { A: '${X:-1}', B: '${X}' } });
    await expect(resolveSecrets(server, from({}))).rejects.toThrow(
      'a: X (in env.B) is not set. Set it in the environment, or give a default: ${X:-…}.',
    );
  });
});

describe('a source that cannot be read', () => {
  const broken: SecretSource = { name: 'the vault', get: () => Promise.reject(new Error('locked')) };
  const server = McpServer.stdio('a', 'node', [], { env: { A: '${A}' } });

  test('fails the server, with its cause', async () => {
    const error: unknown = await resolveSecrets(server, [broken]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'SECRET_MISSING',
      message: 'a: the vault could not be read while looking for A (in env.A). Make it readable, or set A elsewhere.',
      cause: new Error('locked'),
    });
  });

  test('is not asked for what an earlier one knows', async () => {
    expect(await resolveSecrets(server, [...from({ A: 'secret-1' }), broken])).toMatchObject({ secrets: ['secret-1'] });
  });

  test('and given up waiting for, ends as the wait was ended', async () => {
    const reason = new Error('closing');
    await expect(resolveSecrets(server, [broken], AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
