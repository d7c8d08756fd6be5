import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldWarning } from './config-problem.ts';
import { parseServer } from './parse-server.ts';
import type { ParseServerOptions } from './parse-server.ts';
import { McpServer } from './server.ts';

const MCP_JSON: ParseServerOptions = { dialect: 'mcp-json' };

describe('[S2.parse] the documents’ spellings give the same server', () => {
  const git = McpServer.stdio('git', 'npx', ['-y', 'pkg'], { env: { A: '1' }, cwd: '/srv' });
  const flat = { command: 'npx', args: ['-y', 'pkg'], env: { A: '1' }, cwd: '/srv' };
  const remote = { url: 'https://example.com/mcp', headers: { 'X-Team': 'blue' } };

  test.each<[string, string | undefined, unknown, ParseServerOptions?]>([
    ['000', undefined, { name: 'git', transport: 'stdio', ...flat, url: null, description: null }],
    [
      '001',
      undefined,
      { name: 'git', transport: { command: 'npx', args: ['-y', 'pkg'], cwd: '/srv' }, env: { A: '1' } },
    ],
    [
      '001 with everything unset',
      'git',
      { transport: flat, tool_prefix: null, enabled_tools: null, disabled_tools: [] },
    ],
    ['002', undefined, { name: 'git', ...flat, track_invocations: true }],
    ['003', 'git', { type: 'stdio', ...flat }],
    ['004', undefined, { alias: 'git', transport: 'stdio', ...flat }],
    ['.mcp.json', 'git', flat, MCP_JSON],
    ['no transport and a command', 'git', flat],
  ])('stdio as in %s', (_, name, raw, options) => {
    expect(parseServer(name, raw, options)).toEqual(git);
  });

  test.each<[string, string | undefined, unknown, ParseServerOptions?]>([
    ['000', undefined, { name: 'api', transport: 'http', ...remote }],
    ['001', undefined, { name: 'api', transport: { ...remote, method: 'POST' } }],
    ['003', 'api', { type: 'http', ...remote }],
    ['004', undefined, { alias: 'api', transport: 'streamable-http', ...remote }],
    ['.mcp.json', 'api', { type: 'streamable-http', ...remote }, MCP_JSON],
    ['.mcp.json of Gemini', 'api', { httpUrl: remote.url, headers: remote.headers }, MCP_JSON],
    ['.mcp.json of Windsurf', 'api', { serverUrl: remote.url, headers: remote.headers }, MCP_JSON],
    ['a nested kind', 'api', { transport: { kind: 'streamable_http', ...remote } }],
    ['streamableHttp', 'api', { type: 'streamableHttp', ...remote }],
    ['no transport and a url', 'api', remote],
  ])('http as in %s', (_, name, raw, options) => {
    expect(parseServer(name, raw, options)).toEqual(McpServer.http('api', remote.url, { headers: remote.headers }));
  });

  test.each<[string, string | undefined, unknown]>([
    ['000', undefined, { name: 'old', transport: 'sse', url: 'https://example.com/sse' }],
    ['001', 'old', { transport: { type: 'sse', url: 'https://example.com/sse', headers: {} } }],
    ['003', 'old', { type: 'sse', url: 'https://example.com/sse' }],
    ['004', undefined, { alias: 'old', transport: 'sse', url: 'https://example.com/sse' }],
  ])('sse as in %s', (_, name, raw) => {
    expect(parseServer(name, raw)).toEqual(McpServer.sse('old', 'https://example.com/sse'));
  });

  test('sdk and claudeai-proxy as in 003', () => {
    expect(parseServer('here', { type: 'sdk', name: 'registered' }).transport).toEqual({
      kind: 'sdk',
      name: 'registered',
    });
    expect(parseServer('here', { type: 'sdk' }).transport).toEqual({ kind: 'sdk', name: 'here' });
    const proxy = { type: 'claudeai-proxy', url: 'https://example.com/p', id: 'c1' };
    expect(parseServer('drive', proxy).transport).toEqual({
      kind: 'claudeai-proxy',
      url: 'https://example.com/p',
      id: 'c1',
    });
  });

  test('every other field, in snake_case and in camelCase', () => {
    const expected = McpServer.stdio('a', 'node', [], {
      displayName: 'A',
      description: 'Does A',
      toolPrefix: 'p',
      enabledTools: ['x'],
      disabledTools: ['y'],
      timeoutMs: 60_000,
      connectTimeoutMs: 500,
      policies: ['careful'],
      trust: 'trusted',
      mode: 'bridged',
      trackInvocations: false,
      pin: ['x'],
      eager: true,
      isolation: 'preferred',
      sampling: true,
      elicitation: true,
      enabled: false,
    });
    const both = {
      command: 'node',
      description: 'Does A',
      policies: ['careful'],
      trust: 'trusted',
      mode: 'bridged',
      pin: ['x'],
    };
    const flags = { eager: true, isolation: 'preferred', sampling: true, elicitation: true, enabled: false };
    const camel = {
      displayName: 'A',
      toolPrefix: 'p',
      enabledTools: ['x'],
      disabledTools: ['y'],
      timeout: 60,
      connectTimeoutMs: 500,
      trackInvocations: false,
    };
    const snake = {
      display_name: 'A',
      tool_prefix: 'p',
      enabled_tools: ['x'],
      disabled_tools: ['y'],
      timeout_ms: 60_000,
      connect_timeout: '500ms',
      track_invocations: false,
    };
    expect(parseServer('a', { ...both, ...flags, ...camel })).toEqual(expected);
    expect(parseServer('a', { ...both, ...flags, ...snake })).toEqual(expected);
  });

  test('004’s tool_allowlist and 002’s dispatch_events', () => {
    const server = parseServer('a', { command: 'node', tool_allowlist: ['x'], dispatch_events: false });
    expect([server.enabledTools, server.trackInvocations]).toEqual([['x'], false]);
  });

  test('what was written is what is parsed, for any arguments and environment', () => {
    const texts = fc.array(fc.string());
    const env = fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, env, (args, values) => {
        const { transport } = parseServer('a', { command: 'node', args, env: values });
        expect(transport).toEqual({ kind: 'stdio', command: 'node', args, env: { ...values } });
      }),
    );
  });
});

describe('.mcp.json', () => {
  test('keys of other programs are passed over with a warning', () => {
    const raw = { url: 'https://example.com', alwaysLoad: true, autoApprove: ['x'], oauth: { clientId: 'a', xaa: {} } };
    const { server, warnings } = parsed('a', raw, MCP_JSON);
    expect(server.transport).toEqual({
      kind: 'http',
      url: 'https://example.com',
      headers: {},
      oauth: { clientId: 'a' },
    });
    expect(warnings.map(({ path }) => path.join('.'))).toEqual(['oauth.xaa', 'alwaysLoad', 'autoApprove']);
  });

  test('fields that the transport has no place for are passed over too', () => {
    const { server, warnings } = parsed('a', { command: 'node', headers: { A: '1' } }, MCP_JSON);
    expect(server.transport.kind).toBe('stdio');
    expect(warnings).toEqual([{ path: ['headers'], message: 'headers for a stdio server is not used' }]);
  });

  test('disabled is the opposite of enabled', () => {
    const enabled = [{ disabled: true }, { disabled: false }, { enabled: false }, {}].map(
      (extra) => parseServer('a', { command: 'node', ...extra }, MCP_JSON).enabled,
    );
    expect(enabled).toEqual([false, true, false, true]);
    expect(() => parseServer('a', { command: 'node', disabled: 'no' }, MCP_JSON)).toThrow(
      'a.disabled: found "no", expected true or false',
    );
  });

  test('tool lists of other programs count', () => {
    const server = parseServer('a', { command: 'node', includeTools: ['x'], excludeTools: ['y'] }, MCP_JSON);
    expect([server.enabledTools, server.disabledTools]).toEqual([['x'], ['y']]);
  });

  test('scopes may be the words of a text', () => {
    const { transport } = parseServer('a', { url: 'https://example.com', oauth: { scopes: 'read  write' } }, MCP_JSON);
    expect(transport).toMatchObject({ oauth: { scopes: ['read', 'write'] } });
  });

  test('names are slugged and the original kept', () => {
    const server = parseServer('My Server', { command: 'node' }, MCP_JSON);
    expect([server.name, server.displayName]).toEqual(['my-server', 'My Server']);
  });

  test('mistakes are mistakes here too', () => {
    expect(() => parseServer('a', { command: 'node', args: 'x' }, MCP_JSON)).toThrow(
      'a.args: found text, expected a list',
    );
  });
});

function parsed(name: string, raw: unknown, options: ParseServerOptions = {}) {
  const warnings: FieldWarning[] = [];
  const server = parseServer(name, raw, { ...options, onWarning: (warning) => warnings.push(warning) });
  return { server, warnings };
}
