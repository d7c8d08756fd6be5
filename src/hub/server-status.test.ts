import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { ScriptedServer } from '../../test/fixtures/scripted-server.ts';
import { McpServer } from '../config/server.ts';
import { DEFAULT_CATALOG_LIMITS } from '../connection/catalog.ts';
import { Connection } from '../connection/connection.ts';
import { ServerRequests } from '../connection/server-requests.ts';
import { McpConnectionError } from '../errors.ts';
import { silentLogger } from '../logger.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { Scrubber } from '../redaction.ts';
import { InProcessTransport } from '../transport/in-process-transport.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { buildRegistry } from './registry.ts';
import { toServerStatus, toStatusWord } from './server-status.ts';
import type { ServerPhase, ServerStatus, StatusInput, StatusWord } from './server-status.ts';

const server = McpServer.http('search', 'https://example.com/mcp', {
  scope: 'project',
  headers: { Authorization: 'Bearer abcdefghijklmnop' },
});
const input: StatusInput = { server, phase: 'idle', since: 1000, connection: undefined, quarantined: [], warnings: [] };

function connectionTo(openTransport: () => Promise<LiveTransport>): Connection {
  return new Connection({
    openTransport,
    isHttp: false,
    catalogMemory: { recall: () => undefined, keep: () => undefined },
    eraMemory: { recall: () => 'legacy', note: () => undefined, forget: () => undefined },
    serverRequests: new ServerRequests({ server: 'search', allows: server, fallback: {} }),
    takeTurn: (attempt) => attempt(),
    connectTimeoutMs: 30_000,
    abandonMs: 1_000,
    eraProbeMs: 2_000,
    maxPendingCalls: 64,
    catalogLimits: DEFAULT_CATALOG_LIMITS,
    version: '1.0.0',
    clock: new ManualClock(),
    random: () => 0,
    logger: silentLogger,
    scrubber: new Scrubber(),
  });
}

/** A connection to a server that lists these tools. */
async function connectedTo(tools: readonly object[]): Promise<Connection> {
  const scripted = new ScriptedServer({ 'tools/list': () => ({ tools }) });
  const connection = connectionTo(async () => new InProcessTransport(scripted));
  await connection.connect('connect');
  return connection;
}

async function toolsOf(declared: McpServer, tools: readonly object[]): Promise<ServerStatus['tools']> {
  const connection = await connectedTo(tools);
  const { quarantined } = buildRegistry([{ server: declared, catalog: connection.catalog }], 'mcp__{server}__{tool}');
  return toServerStatus({ ...input, server: declared, phase: 'connected', connection, quarantined }).tools;
}

describe('toStatusWord', () => {
  test.each<[ServerPhase, StatusWord]>([
    ['idle', 'pending'],
    ['connecting', 'pending'],
    ['reconnecting', 'pending'],
    ['disconnected', 'pending'],
    ['connected', 'connected'],
    ['needs-auth', 'needs-auth'],
    ['failed', 'failed'],
    ['disabled', 'disabled'],
  ])('[S1.states] the phase %s is the status %s', (phase, word) => {
    expect(toStatusWord(phase)).toBe(word);
  });
});

describe('toServerStatus', () => {
  test('names the policies of the server', () => {
    const policy: ToolPolicy = { name: 'order' };
    expect(toServerStatus({ ...input, server: server.withPolicies('careful', policy) })).toEqual({
      ...toServerStatus(input),
      policies: ['careful', 'order'],
    });
  });

  test('[S3.status-shape] tells of a server that nothing is connected to what was declared, masked', () => {
    expect(toServerStatus(input)).toEqual({
      name: 'search',
      status: 'pending',
      phase: 'idle',
      transport: 'http',
      scope: 'project',
      config: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: '***' } },
      isolation: 'off',
      tools: [],
      restarts: 0,
      since: 1000,
    });
  });

  test('[S3.status-shape] tells of a connected server who it is and what it offers', async () => {
    const connection = await connectedTo([
      { name: 'find', description: 'Finds', inputSchema: {}, annotations: { readOnlyHint: true } },
    ]);
    const status = toServerStatus({ ...input, phase: 'connected', connection, warnings: ['odd'] });
    expect(status).toEqual({
      name: 'search',
      status: 'connected',
      phase: 'connected',
      transport: 'http',
      scope: 'project',
      era: 'legacy',
      protocolVersion: connection.protocolVersion,
      serverInfo: { name: 'scripted', version: '1.0.0' },
      config: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: '***' } },
      isolation: 'off',
      tools: [{ name: 'find', description: 'Finds', annotations: { readOnly: true } }],
      restarts: 0,
      since: 1000,
      warnings: ['odd'],
    });
  });

  test.each(['managed', 'local', 'project', 'user', 'claudeai'] as const)(
    '[S3.status-shape] tells the scope %s',
    (scope) => {
      expect(toServerStatus({ ...input, server: server.with({ scope }) }).scope).toBe(scope);
    },
  );

  test('[S3.status-shape] tells why a server failed', async () => {
    const refusal = new McpConnectionError({
      code: 'COMMAND_NOT_FOUND',
      server: 'search',
      transport: 'stdio: x',
      message: 'search: there is no x',
    });
    const connection = connectionTo(() => Promise.reject(refusal));
    await expect(connection.connect('connect')).rejects.toThrow();
    const { status, error, errorCode } = toServerStatus({ ...input, phase: connection.state.phase, connection });
    expect({ status, error, errorCode }).toEqual({
      status: 'failed',
      error: 'there is no x',
      errorCode: 'COMMAND_NOT_FOUND',
    });
  });

  test.each<ServerPhase>(['disabled', 'disconnected'])(
    '[S3.status-shape] shows no tools of a server that is %s',
    async (phase) => {
      const connection = await connectedTo([{ name: 'find', inputSchema: {} }]);
      expect(toServerStatus({ ...input, phase, connection }).tools).toEqual([]);
    },
  );

  test('holds no undefined field, so that it is the same as JSON', async () => {
    const connection = await connectedTo([{ name: 'find', inputSchema: {} }, { name: 'find' }]);
    const status = toServerStatus({ ...input, phase: 'connected', connection });
    expect(JSON.parse(JSON.stringify(status))).toStrictEqual(status);
  });
});

describe('the tools in a status', () => {
  test('[S3.status-shape] have the hints under their short names, and no hint that is absent', async () => {
    const all = {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
      title: 'Find',
    };
    const tools = await toolsOf(server, [
      { name: 'all', inputSchema: {}, annotations: all },
      { name: 'one', inputSchema: {}, annotations: { destructiveHint: false } },
      { name: 'titled', inputSchema: {}, annotations: { title: 'Titled' } },
      { name: 'none', inputSchema: {} },
    ]);
    expect(tools).toEqual([
      { name: 'all', annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true } },
      { name: 'one', annotations: { destructive: false } },
      { name: 'titled' },
      { name: 'none' },
    ]);
  });

  test('[S1.filter] [S3.status-shape] are those that the filter lets through', async () => {
    const tools = await toolsOf(server.withTools({ disabled: ['write'] }), [
      { name: 'read', inputSchema: {} },
      { name: 'write', inputSchema: {} },
    ]);
    expect(tools).toEqual([{ name: 'read' }]);
  });

  test('[S3.status-shape] are marked with the reason when they are quarantined', async () => {
    const listed = [{ name: 'a.b' }, { name: 'a/b' }, { name: 'c' }, { name: 'c' }, {}].map((tool) => ({
      ...tool,
      inputSchema: {},
    }));
    expect(await toolsOf(server, listed)).toEqual([
      { name: 'a.b' },
      { name: 'a/b', quarantined: 'its name mcp__search__a_b already belongs to search/a.b' },
      { name: 'c' },
      { name: 'c', quarantined: 'the server lists this name twice; the first is kept' },
      { name: '#5', quarantined: 'has no usable name: missing' },
    ]);
  });

  test('[S3.status-shape] are marked with both reasons where one is listed twice and collides as well', async () => {
    const listed = [{ name: 'a.b' }, { name: 'a/b' }, { name: 'a/b' }].map((tool) => ({ ...tool, inputSchema: {} }));
    expect(await toolsOf(server, listed)).toEqual([
      { name: 'a.b' },
      { name: 'a/b', quarantined: 'its name mcp__search__a_b already belongs to search/a.b' },
      { name: 'a/b', quarantined: 'the server lists this name twice; the first is kept' },
    ]);
  });
});
