import { describe, expect, test } from 'vitest';
import { McpServer } from './server.ts';

const DEFAULTS = {
  displayName: undefined,
  description: undefined,
  toolPrefix: undefined,
  enabledTools: undefined,
  disabledTools: [],
  timeoutMs: 30_000,
  connectTimeoutMs: 30_000,
  policies: [],
  trust: 'untrusted',
  mode: undefined,
  trackInvocations: true,
  pin: false,
  eager: false,
  isolation: undefined,
  sampling: false,
  elicitation: false,
  scope: 'local',
  enabled: true,
};

const SERVERS: readonly McpServer[] = [
  McpServer.stdio('files', 'node', ['server.js'], { env: { LOG: 'info' }, cwd: '/srv', pin: ['read'] }),
  McpServer.http('api', 'https://example.com/mcp', {
    headers: { 'X-Team': 'blue' },
    oauth: { clientId: 'fairlead', scopes: ['read'] },
    enabledTools: ['search'],
    disabledTools: ['delete'],
    policies: ['careful'],
  }),
  McpServer.sse('old', 'https://example.com/sse', { headers: { 'X-Team': 'blue' } }),
  McpServer.sdk('here'),
  McpServer.claudeAiProxy('drive', 'https://claude.example/proxy', 'connector-1'),
];

test('[S1.config] a server has the documented fields and defaults', () => {
  const server = McpServer.stdio('files', 'node');
  expect({ ...server }).toEqual({
    ...DEFAULTS,
    name: 'files',
    transport: { kind: 'stdio', command: 'node', args: [], env: {} },
  });
});

test('[S0.name] a name outside the pattern is refused, and the error shows both', () => {
  expect(() => McpServer.stdio('My Server', 'node')).toThrow(
    "Invalid MCP server name 'My Server'. Must match pattern: ^[a-z0-9][a-z0-9_-]{0,63}$",
  );
});

describe('[S0.transport-fields] a transport without what it needs is refused at construction', () => {
  test.each([
    ["stdio transport requires 'command'", () => McpServer.stdio('a', '')],
    ['args must be a list of texts, not string', () => McpServer.stdio('a', 'b', 'c' as never)],
    ['args must be a list of texts, not string', () => McpServer.npm('a', 'b', './c' as never)],
    ['args[1] must be text, not number', () => McpServer.stdio('a', 'b', ['c', 1] as never)],
    [
      "env.TOKEN must be text, not undefined; '${NAME}' is looked up when the server is started",
      () => McpServer.npm('a', 'b', [], { env: { TOKEN: undefined } as never }),
    ],
    ['env.PORT must be text, not number', () => McpServer.stdio('a', 'b').withEnv({ PORT: 1 } as never)],
    ['headers.X must be text, not null', () => McpServer.http('a', 'http://x', { headers: { X: null } as never })],
    ["http transport requires 'url'", () => McpServer.http('a', '')],
    ["sse transport requires 'url'", () => McpServer.sse('a', '')],
    ["claudeai-proxy transport requires 'url'", () => McpServer.claudeAiProxy('a', '', 'id')],
    ["claudeai-proxy transport requires 'id'", () => McpServer.claudeAiProxy('a', 'https://example.com', '')],
    ["sdk transport requires 'name'", () => new McpServer({ name: 'a', transport: { kind: 'sdk', name: '' } })],
    ["unknown transport 'pigeon'", () => new McpServer({ name: 'a', transport: { kind: 'pigeon' } as never })],
  ])('%s', (message, create) => {
    expect(create).toThrow(expect.objectContaining({ code: 'SERVER_INVALID', message }));
  });
});

test('a timeout that is no positive number is refused', () => {
  expect(() => McpServer.stdio('a', 'node', [], { timeoutMs: 0 })).toThrow('timeoutMs must be a positive number');
  expect(() => McpServer.stdio('a', 'node', [], { connectTimeoutMs: Number.NaN })).toThrow('connectTimeoutMs');
});

describe('[S0.frozen] a declared server is immutable', () => {
  test('through and through', () => {
    for (const server of SERVERS) expect(unfrozenPaths(server, server.name)).toEqual([]);
  });

  test('whatever happens to the values it was made from', () => {
    const args = ['a'];
    const env: Record<string, string> = { A: '1' };
    const scopes = ['read'];
    const files = McpServer.stdio('files', 'node', args, { env });
    const api = McpServer.http('api', 'https://example.com', { oauth: { scopes } });
    args.push('b');
    env['B'] = '2';
    scopes.push('write');
    expect([files.transport, api.transport]).toEqual([
      { kind: 'stdio', command: 'node', args: ['a'], env: { A: '1' } },
      { kind: 'http', url: 'https://example.com', headers: {}, oauth: { scopes: ['read'] } },
    ]);
  });

  test('deriving one leaves the original as it was', () => {
    const stdio = McpServer.stdio('files', 'node', [], { env: { A: '1', B: '1' }, policies: ['one'] });
    const remote = McpServer.http('api', 'https://example.com', { headers: { A: '1' } });
    const before = JSON.stringify([stdio, remote]);
    const derived = [
      stdio.with({ description: 'Files' }).description,
      stdio.withPolicies('two').policies,
      stdio.withEnv({ B: '2' }).transport,
      remote.withHeaders({ B: '2' }).transport,
      stdio.withTools({ enabled: ['read'], disabled: ['write'] }).enabledTools,
      stdio.withTools({ disabled: ['write'] }).disabledTools,
      stdio.withTimeout(5).timeoutMs,
    ];
    expect(derived).toEqual([
      'Files',
      ['one', 'two'],
      { kind: 'stdio', command: 'node', args: [], env: { A: '1', B: '2' } },
      { kind: 'http', url: 'https://example.com', headers: { A: '1', B: '2' } },
      ['read'],
      ['write'],
      5,
    ]);
    expect(JSON.stringify([stdio, remote])).toBe(before);
  });

  test('a derived server keeps every other field', () => {
    for (const server of SERVERS) expect(server.with({})).toEqual(server);
  });

  test('an environment belongs to a process and headers to a remote server', () => {
    expect(() => McpServer.http('api', 'https://example.com').withEnv({})).toThrow('only a stdio server');
    expect(() => McpServer.stdio('files', 'node').withHeaders({})).toThrow('only an http or sse server');
  });
});

describe('[S0.factories]', () => {
  test('npm starts a package with npx -y', () => {
    const server = McpServer.npm('fs', '@example/server-fs', ['/data'], { env: { A: '1' } });
    expect({ ...server }).toEqual({
      ...DEFAULTS,
      name: 'fs',
      description: 'MCP server: @example/server-fs',
      transport: { kind: 'stdio', command: 'npx', args: ['-y', '@example/server-fs', '/data'], env: { A: '1' } },
    });
  });

  test('uvx starts a Python package', () => {
    const server = McpServer.uvx('sqlite', 'mcp-server-sqlite', ['--db', '/a.db']);
    expect([server.transport, server.description]).toEqual([
      { kind: 'stdio', command: 'uvx', args: ['mcp-server-sqlite', '--db', '/a.db'], env: {} },
      'MCP server: mcp-server-sqlite',
    ]);
  });

  test('a description of one’s own wins', () => {
    expect(McpServer.npm('fs', 'pkg', [], { description: 'Files' }).description).toBe('Files');
    expect(McpServer.uvx('fs', 'pkg', [], { description: 'Files' }).description).toBe('Files');
  });

  test('stdio, sse, http, sdk and claudeAiProxy give the transport of their name', () => {
    const instance = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
    expect([
      McpServer.stdio('a', 'node', ['x'], { cwd: '/srv' }).transport,
      McpServer.sse('a', 'https://example.com/sse').transport,
      McpServer.http('a', 'https://example.com/mcp', { headers: { A: '1' } }).transport,
      McpServer.sdk('a', instance).transport,
      McpServer.claudeAiProxy('a', 'https://example.com', 'id').transport,
    ]).toEqual([
      { kind: 'stdio', command: 'node', args: ['x'], env: {}, cwd: '/srv' },
      { kind: 'sse', url: 'https://example.com/sse', headers: {} },
      { kind: 'http', url: 'https://example.com/mcp', headers: { A: '1' } },
      { kind: 'sdk', name: 'a', instance },
      { kind: 'claudeai-proxy', url: 'https://example.com', id: 'id' },
    ]);
  });

  test('a claude.ai connector has its own scope', () => {
    expect(McpServer.claudeAiProxy('a', 'https://example.com', 'id').scope).toBe('claudeai');
  });
});

function unfrozenPaths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => unfrozenPaths(item, `${path}.${key}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}
