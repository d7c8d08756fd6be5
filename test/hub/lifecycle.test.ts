import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import type { HubInterface } from '../../src/index.ts';
import { alive } from '../fixtures/processes.ts';
import { freePort, startHttpServer } from '../fixtures/start-http-server.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer, healthyServer, v1Server } from './servers.ts';

test('[S3.connect] connect spawns, initializes, lists and registers', async () => {
  await using hub = new Hub();
  const status = await hub.connect('files', healthyServer('files'));
  expect(status).toMatchObject({ name: 'files', status: 'connected', transport: 'stdio', restarts: 0 });
  expect(alive(status.pid ?? 0)).toBe(true);
  expect(status.tools.map((tool) => tool.name)).toContain('echo');
  expect(hub.findTool('mcp__files__echo')).toMatchObject({ server: 'files', tool: 'echo' });
});

test('[S3.connect-order] is connected only once the tools are registered', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const seen: unknown[] = [];
  hub.on('tools-changed', ({ server, added }) => seen.push(['tools-changed', server, added.length > 0, phaseOf(hub)]));
  hub.on('server-connected', ({ server, tools }) => seen.push(['server-connected', server, tools > 0, phaseOf(hub)]));
  await hub.connect('files');
  expect(seen).toEqual([
    ['tools-changed', 'files', true, 'connecting'],
    ['server-connected', 'files', true, 'connected'],
  ]);
});

test('[S3.connect-order] a failed tools/list gives failed and no tools', async () => {
  await using hub = new Hub({ servers: [faultyServer('broken', 'tools-list-error')], random: () => 0 });
  await expect(hub.connect('broken')).rejects.toMatchObject({ code: 'LIST_FAILED', serverName: 'broken' });
  expect(hub.serverStatus('broken')).toMatchObject({ status: 'failed', tools: [], errorCode: 'LIST_FAILED' });
  expect(hub.tools()).toEqual([]);
});

test('[S3.disconnect] [S3.registry] disconnect takes the tools and the process away', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const { pid = 0 } = await hub.connect('files');
  await hub.disconnect('files');
  expect(hub.tools()).toEqual([]);
  expect(alive(pid)).toBe(false);
  await expect(hub.callTool('files', 'echo', { arguments: { message: 'hi' } })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  expect(hub.serverStatus('files').phase).toBe('disconnected');
});

test('[S3.reconnect] reconnect ends the old process, shakes hands again and registers again', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const before = await hub.connect('files');
  const after = await hub.reconnect('files');
  expect(alive(before.pid ?? 0)).toBe(false);
  expect(alive(after.pid ?? 0)).toBe(true);
  expect(after.tools).toEqual(before.tools);
  expect(hub.tools().length).toBe(after.tools.length);
});

test('[S3.toggle] a server switched off hides its tools, refuses calls and keeps its connection', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const { pid } = await hub.connect('files');
  hub.toggle('files', false);
  expect(hub.tools()).toEqual([]);
  expect(hub.serverStatus('files')).toMatchObject({ status: 'disabled', phase: 'disabled', pid, tools: [] });
  await expect(hub.callTool('files', 'echo')).rejects.toMatchObject({ code: 'SERVER_DISABLED', serverName: 'files' });
  hub.toggle('files', true);
  expect(hub.serverStatus('files')).toMatchObject({ status: 'connected', pid, restarts: 0 });
  expect(await hub.callTool('files', 'echo', { arguments: { message: 'back' } })).toMatchObject({ isError: false });
});

test('[S3.set-servers] setServers adds, removes and replaces, and leaves the rest connected', async () => {
  await using hub = new Hub({ servers: [own('stays'), own('goes'), own('changes')] });
  await hub.connectAll();
  const pidsBefore = pidsOf(hub);
  const result = await hub.setServers([
    own('stays'),
    v1Server('changes'),
    own('comes'),
    McpServer.stdio('dead', 'no-such-command-anywhere'),
  ]);
  expect(result).toEqual({
    added: ['comes', 'dead'],
    removed: ['goes'],
    changed: ['changes'],
    errors: { dead: expect.stringContaining('no-such-command-anywhere') },
  });
  const pidsAfter = pidsOf(hub);
  expect(pidsAfter['stays']).toBe(pidsBefore['stays']);
  expect(pidsAfter['changes']).not.toBe(pidsBefore['changes']);
  expect([pidsBefore['goes'], pidsBefore['changes']].map((pid) => alive(pid ?? 0))).toEqual([false, false]);
  expect(hub.status().map(({ name, status }) => [name, status])).toEqual([
    ['stays', 'connected'],
    ['changes', 'connected'],
    ['comes', 'connected'],
    ['dead', 'failed'],
  ]);
});

test('[S3.set-servers] a change of the tool filter keeps the connection', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const { pid } = await hub.connect('files');
  const result = await hub.setServers([healthyServer('files').withTools({ enabled: ['echo'] })]);
  expect(result).toEqual({ added: [], removed: [], changed: ['files'], errors: {} });
  expect(hub.serverStatus('files')).toMatchObject({ pid, restarts: 0 });
  expect(hub.tools().map((tool) => tool.tool)).toEqual(['echo']);
});

test('[S3.set-servers] the new order of declaration decides which of two tools keeps a name', async () => {
  const first = own('a').with({ toolPrefix: 'same' });
  const second = own('b').with({ toolPrefix: 'same' });
  await using hub = new Hub({ servers: [first, second], naming: '{prefix}_{tool}' });
  await hub.connectAll();
  expect(hub.findTool('same_echo')?.server).toBe('a');
  await hub.setServers([second, first]);
  expect(hub.findTool('same_echo')?.server).toBe('b');
  expect(hub.quarantinedTools('a').map(({ tool }) => tool)).toContain('echo');
});

test('[S3.status] [S3.server-status] status tells of every server, serverStatus of one, and an unknown name is an error', async () => {
  await using hub = new Hub({ servers: [healthyServer('one'), McpServer.http('two', 'http://127.0.0.1:1/mcp')] });
  expect(hub.status().map(({ name, phase, status }) => ({ name, phase, status }))).toEqual([
    { name: 'one', phase: 'idle', status: 'pending' },
    { name: 'two', phase: 'idle', status: 'pending' },
  ]);
  expect(hub.serverStatus('two')).toEqual(hub.status()[1]);
  expect(() => hub.serverStatus('three')).toThrow(
    expect.objectContaining({ code: 'SERVER_UNKNOWN', message: expect.stringContaining('one, two') }),
  );
});

test('[S3.statuses] each status comes from its real cause', async () => {
  await using hub = new Hub({
    servers: [
      healthyServer('up'),
      healthyServer('off'),
      faultyServer('waiting', 'silent'),
      McpServer.stdio('missing', 'no-such-command-anywhere'),
    ],
  });
  const settled = Promise.allSettled(['up', 'off', 'missing'].map((name) => hub.connect(name)));
  const waiting = hub.connect('waiting').catch((error: unknown) => error);
  await settled;
  hub.toggle('off', false);
  expect(Object.fromEntries(hub.status().map(({ name, status }) => [name, status]))).toEqual({
    up: 'connected',
    off: 'disabled',
    waiting: 'pending',
    missing: 'failed',
  });
  await hub.disconnect('waiting');
  expect(await waiting).toMatchObject({ code: 'UNAVAILABLE' });
});

test('[S3.concurrent-ops] concurrent operations on one name end in the last requested state with one process at most', async () => {
  await using hub = new Hub({ servers: [healthyServer('busy', { env: { TEST_MARK: 'concurrent-ops' } })] });
  const pids = new Set<number>();
  hub.on('server-connected', () => pids.add(hub.serverStatus('busy').pid ?? 0));
  const operations = [
    hub.connect('busy'),
    hub.disconnect('busy'),
    hub.connect('busy'),
    hub.setServers([v1Server('busy')]),
    hub.disconnect('busy'),
    hub.connect('busy', healthyServer('busy')),
  ];
  hub.toggle('busy', false);
  hub.toggle('busy', true);
  await Promise.allSettled(operations);
  const status = hub.serverStatus('busy');
  expect(status).toMatchObject({ status: 'connected', phase: 'connected' });
  expect([...pids].filter(alive)).toEqual([status.pid]);
});

test('[S3.concurrent-ops] a disconnect after a connect wins while the handshake is open', async () => {
  await using hub = new Hub({ servers: [faultyServer('slow', 'silent')] });
  const connecting = hub.connect('slow').catch((error: unknown) => error);
  const pid = await until(() => pidsOf(hub)['slow'] ?? hub.serverStatus('slow').phase === 'connecting', {
    describe: 'the attempt runs',
  });
  await hub.disconnect('slow');
  expect(hub.serverStatus('slow').phase).toBe('disconnected');
  expect(await connecting).toMatchObject({ serverName: 'slow' });
  expect(typeof pid === 'number' && alive(pid)).toBe(false);
});

test('[S1.multiple] two servers connect side by side, and neither sees the other environment nor ours', async () => {
  process.env['FAIRLEAD_TEST_PLANTED'] = 'planted-value';
  await using hub = new Hub({
    servers: [
      healthyServer('one', { env: { ONLY_ONE: 'first' } }),
      healthyServer('two', { env: { ONLY_TWO: 'second' } }),
    ],
  });
  await hub.connectAll();
  const environments = await Promise.all(['one', 'two'].map((name) => environmentOf(hub, name)));
  delete process.env['FAIRLEAD_TEST_PLANTED'];
  expect(
    environments.map(({ ONLY_ONE, ONLY_TWO, FAIRLEAD_TEST_PLANTED }) => ({
      ONLY_ONE,
      ONLY_TWO,
      FAIRLEAD_TEST_PLANTED,
    })),
  ).toEqual([
    { ONLY_ONE: 'first', ONLY_TWO: undefined, FAIRLEAD_TEST_PLANTED: undefined },
    { ONLY_ONE: undefined, ONLY_TWO: 'second', FAIRLEAD_TEST_PLANTED: undefined },
  ]);
});

test('[S1.stdio] a stdio server gets its command, args, cwd and env', async () => {
  const script = 'process.stderr.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.GIVEN]))';
  await using hub = new Hub({
    servers: [
      McpServer.stdio('probe', process.execPath, ['-e', script, '--', 'a b', '$HOME'], {
        cwd: '/tmp',
        env: { GIVEN: 'yes' },
      }),
    ],
    random: () => 0,
  });
  await expect(hub.connect('probe')).rejects.toMatchObject({ code: 'SERVER_EXITED' });
  expect(hub.serverStatus('probe').stderr).toContain(JSON.stringify([['a b', '$HOME'], '/tmp', 'yes']));
});

test('[S1.http] [S3.headers] an HTTP server gets its headers with every request', async () => {
  await using remote = await startHttpServer('v1-server.mjs');
  await using hub = new Hub({ servers: [McpServer.http('remote', remote.url, { headers: { 'x-api-key': 'k-1' } })] });
  const result = await hub.callTool('remote', 'headers');
  expect(JSON.parse(String(result.content[0]?.['text']))).toMatchObject({ 'x-api-key': 'k-1' });
});

test('[S1.fail-refused] a refused connection is a McpConnectionError from connect', async () => {
  const port = await freePort();
  await using hub = new Hub({ servers: [McpServer.http('gone', `http://127.0.0.1:${port}/mcp`)], random: () => 0 });
  await expect(hub.connect('gone')).rejects.toMatchObject({
    name: 'McpConnectionError',
    code: 'CONNECTION_REFUSED',
    serverName: 'gone',
    transport: `http: http://127.0.0.1:${port}/mcp`,
  });
});

test('a server that cannot connect costs the others nothing', async () => {
  await using hub = new Hub({
    servers: [
      faultyServer('silent', 'silent'),
      McpServer.stdio('missing', 'no-such-command-anywhere'),
      healthyServer('good'),
    ],
  });
  const everything = hub.connectAll();
  await until(() => hub.serverStatus('good').status === 'connected', { describe: 'the good server is connected' });
  expect(hub.serverStatus('silent').status).toBe('pending');
  await hub.disconnect('silent');
  expect((await everything).map(({ name, status }) => [name, status])).toEqual([
    ['silent', 'pending'],
    ['missing', 'failed'],
    ['good', 'connected'],
  ]);
});

test('a hub that was closed is closed twice without harm and refuses further use', async () => {
  const hub = new Hub({ servers: [healthyServer('files')] });
  const { pid = 0 } = await hub.connect('files');
  await Promise.all([hub.close(), hub.close()]);
  expect(alive(pid)).toBe(false);
  await expect(hub.connect('files')).rejects.toMatchObject({ code: 'HUB_CLOSED' });
});

/** A server with a definition of its own, so that it shares no connection. */
function own(name: string): McpServer {
  return healthyServer(name, { env: { OWN: name } });
}

function pidsOf(hub: HubInterface): Record<string, number | undefined> {
  return Object.fromEntries(hub.status().map(({ name, pid }) => [name, pid]));
}

function phaseOf(hub: HubInterface): string {
  return hub.serverStatus('files').phase;
}

async function environmentOf(hub: HubInterface, server: string): Promise<NodeJS.ProcessEnv> {
  const { content } = await hub.callTool(server, 'env');
  return JSON.parse(String(content[0]?.['text'])) as NodeJS.ProcessEnv;
}
