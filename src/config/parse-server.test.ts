import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import type { FieldWarning } from './config-problem.ts';
import { parseServer } from './parse-server.ts';
import type { ParseServerOptions } from './parse-server.ts';

const MCP_JSON: ParseServerOptions = { dialect: 'mcp-json' };

describe('[S1.config] timeout', () => {
  test('is seconds in our files and milliseconds in .mcp.json', () => {
    const raw = { command: 'node', timeout: 5 };
    expect([parseServer('a', raw).timeoutMs, parseServer('a', raw, MCP_JSON).timeoutMs]).toEqual([5_000, 5]);
  });

  test('with a unit is the same in both', () => {
    const raw = { command: 'node', timeout: '2m', connectTimeout: '500ms' };
    for (const options of [{}, MCP_JSON]) {
      const { timeoutMs, connectTimeoutMs } = parseServer('a', raw, options);
      expect([timeoutMs, connectTimeoutMs]).toEqual([120_000, 500]);
    }
  });

  test('is said once', () => {
    expect(mistakes('a', { command: 'node', timeout: 5, timeout_ms: 5_000 })).toEqual([
      'a.timeout_ms: found timeoutMs beside timeout, expected only one of them',
    ]);
  });
});

describe('[S1.http-method]', () => {
  test('POST is accepted', () => {
    expect(parseServer('a', { url: 'https://example.com', method: 'POST' }).transport.kind).toBe('http');
  });

  test('GET is refused with the reason', () => {
    expect(mistakes('a', { transport: { url: 'https://example.com', method: 'GET' } })).toEqual([
      'a.transport.method: found "GET", expected "POST", because MCP over HTTP has only POST',
    ]);
  });
});

describe('mistakes', () => {
  test('[S0.transport-fields] name the field that is missing', () => {
    expect(mistakes('a', { transport: 'stdio' })).toEqual([
      "a.command: found nothing, expected a command: stdio transport requires 'command'",
    ]);
    expect(mistakes('a', { transport: 'sse' })).toEqual([
      "a.url: found nothing, expected a url: sse transport requires 'url'",
    ]);
    expect(mistakes('a', { type: 'claudeai-proxy' })).toHaveLength(2);
    expect(mistakes('a', {})).toEqual([
      'a: found neither a command nor a url, expected a command for a stdio server, or a url for a remote one',
    ]);
  });

  test('[S0.name] show the name and the pattern', () => {
    const expected = 'expected a name that matches ^[a-z0-9][a-z0-9_-]{0,63}$';
    expect(mistakes('My Server', { command: 'node' })).toEqual([
      `["My Server"]: found "My Server", ${expected}, such as "my-server"`,
    ]);
    expect(mistakes(undefined, { alias: 'Git!', command: 'node' })).toEqual([
      `alias: found "Git!", ${expected}, such as "git"`,
    ]);
    expect(mistakes(undefined, { command: 'node' })).toEqual(['name: found nothing, expected a name']);
    expect(mistakes('a', { name: 'b', command: 'node' })).toEqual([
      'a.name: found "b", expected "a", the name it is declared under',
    ]);
  });

  test('are all told at once', () => {
    const raw = { comand: 'node', url: 'nowhere', timeout: 'soon', tool_prefix: 'p', toolPrefix: 'q', eager: 'yes' };
    expect(mistakes('a', raw)).toEqual([
      'a.toolPrefix: found the same as in "tool_prefix", expected only one of them',
      'a.timeout: found "soon", expected a positive duration such as 30, "30s", "500ms" or "2m"',
      'a.eager: found "yes", expected true or false',
      'a.comand: found an unknown key, expected a known key; did you mean "command"?',
      'a.url: found no web address, expected one that begins with https:// or http://',
    ]);
  });

  test('are found inside a nested transport and under other names', () => {
    const raw = { transport: { command: 'node', args: 'x', cwdd: '/' }, command: 'npx', oauth: { client_idd: 'x' } };
    expect(mistakes('a', raw)).toEqual([
      'a.transport.command: found the same as in "command", expected only one of them',
      'a.transport.cwdd: found an unknown key, expected a known key; did you mean "cwd"?',
      'a.transport.args: found text, expected a list',
      'a.oauth.client_idd: found an unknown key, expected a known key; did you mean "clientId"?',
      'a.oauth: found oauth for a stdio server, expected only command, args, cwd, env',
    ]);
  });

  test('of fields that the transport has no place for', () => {
    expect(mistakes('a', { command: 'node', url: 'https://example.com', headers: { A: '1' } })).toEqual([
      'a.url: found url for a stdio server, expected only command, args, cwd, env',
      'a.headers: found headers for a stdio server, expected only command, args, cwd, env',
    ]);
    expect(parseServer('a', { url: 'https://example.com', env: {}, args: [] }).transport.kind).toBe('http');
  });

  test('show nothing that may be a secret', () => {
    const raw = {
      command: ['canary-1'],
      args: ['ok', { canary: 2 }, 1_234_567],
      env: { TOKEN: 7_654_321, B: ['canary-3'] },
      url: 'canary-4',
      headers: 'canary-5',
      oauth: { clientSecret: 9_876_543, callbackPort: 'canary-6' },
    };
    const text = [...mistakes('a', raw), ...mistakes('a', { type: 'https://x:canary-7@y' })].join('\n');
    expect(text).toContain('a.env.TOKEN: found a number');
    expect(text).not.toMatch(/canary-|1234567|7654321|9876543/);
  });

  test('of an entry that is no map', () => {
    expect(mistakes('a', 'node --token canary')).toEqual(['a: found text, expected a map with a command or a url']);
    expect(mistakes('a', null)).toEqual(['a: found an empty value, expected a map with a command or a url']);
  });

  test('never escape as anything but a ConfigError, whatever the entry is', () => {
    const keys = fc.constantFrom('command', 'url', 'transport', 'type', 'env', 'oauth', 'name', 'timeout', 'x');
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(keys, fc.anything())), fc.boolean(), (raw, isForeign) => {
        try {
          parseServer('a', raw, isForeign ? MCP_JSON : {});
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as ConfigError).problems.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('trust', () => {
  const raw = { command: 'node', trust: 'trusted' };

  test('may be given in code, in the user’s own file and in the managed one', () => {
    const trusts = [{}, { scope: 'user' }, { scope: 'managed' }] as const;
    expect(trusts.map((options) => parseServer('a', raw, options).trust)).toEqual(['trusted', 'trusted', 'trusted']);
  });

  test.each(['project', 'local'] as const)('is refused in a %s file, even to say untrusted', (scope) => {
    for (const trust of ['trusted', 'untrusted']) {
      expect(() => parseServer('a', { command: 'node', trust }, { scope })).toThrow(
        `a.trust: found trust in a ${scope} file`,
      );
    }
  });

  test('in .mcp.json means nothing', () => {
    const { server, warnings } = parsed('a', { command: 'node', trust: true }, MCP_JSON);
    expect([server.trust, warnings]).toEqual([
      'untrusted',
      [{ path: ['trust'], message: 'Fairlead does not use this key' }],
    ]);
  });
});

function parsed(name: string, raw: unknown, options: ParseServerOptions = {}) {
  const warnings: FieldWarning[] = [];
  const server = parseServer(name, raw, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { server, warnings };
}

function mistakes(name: string | undefined, raw: unknown, options?: ParseServerOptions): readonly string[] {
  try {
    parseServer(name, raw, options);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}
