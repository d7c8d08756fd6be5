import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import type { InProcessServer } from '../../src/index.ts';
import { DEFAULT_HUB_LIMITS } from '../../src/hub/hub-limits.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer, healthyServer } from './servers.ts';

test('[S3.concurrent-ops] a disconnect right after a connect leaves nothing running', async () => {
  const mark = crypto.randomUUID();
  await using hub = new Hub({ servers: [healthyServer('files', { env: { MARK: mark } })] });
  const connecting = hub.connect('files').catch((error: unknown) => error);
  await hub.disconnect('files');
  expect(await connecting).toMatchObject({ code: 'UNAVAILABLE', serverName: 'files' });
  await until(() => processesMarked(mark).length === 0, { describe: 'no process is left' });
  expect(hub.serverStatus('files').phase).toBe('disconnected');
});

test('a secret that a server repeats in its own texts is masked in status, tools, events and errors', async () => {
  const secret = 'canary-5b1c0a7e "ü';
  const server = new ScriptedServer({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: `server of ${secret}`, version: secret },
    }),
    'tools/list': () => ({
      tools: [{ name: 'look', description: `Looks with ${secret}.` }, { name: `use ${secret}` }],
    }),
  });
  await using hub = new Hub({
    servers: [McpServer.sdk('telling', server), McpServer.stdio('other', 'no-such-command', ['serve', secret])],
  });
  hub.scrubber.add(secret);
  const seen: unknown[] = [];
  hub.on('tools-changed', (event) => seen.push(event));
  const status = await hub.connect('telling');
  const failure = await hub
    .connect('other')
    .catch((error: unknown) => ({ ...(error as Error), message: String(error) }));
  seen.push(status, hub.tools(), hub.status(), failure);
  expect(JSON.stringify(seen)).toContain('***');
  expect(JSON.stringify(seen)).not.toContain('canary-5b1c0a7e');
});

test('a call that brings its own timeout does not wait longer for a server to start', async () => {
  const clock = new ManualClock();
  await using hub = new Hub({ servers: [faultyServer('hung', 'silent')], clock });
  const call = hub.callTool('hung', 'echo', { timeoutMs: 500 }).catch((error: unknown) => error);
  await settle();
  await clock.advance(500);
  expect(await call).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('500 ms; nothing was sent'),
  });
  const gone = hub.disconnect('hung');
  await until(async () => clock.advance(1_000).then(() => hub.serverStatus('hung').pid === undefined), {
    describe: 'the server is gone',
  });
  await gone;
});

test('a server object that never answers is given up, and does not keep the hub from closing', async () => {
  const clock = new ManualClock();
  const mute: InProcessServer = { connect: () => new Promise(() => undefined), close: () => Promise.resolve() };
  const limits = { transport: { ...DEFAULT_HUB_LIMITS.transport, closeGraceMs: 5 } };
  const servers = [McpServer.sdk('mute', mute, { connectTimeoutMs: 1_000 })];
  const hub = new Hub({ servers, clock, limits, random: () => 0 });
  const connecting = hub.connect('mute').catch((error: unknown) => error);
  await until(async () => clock.advance(1_000).then(() => hub.serverStatus('mute').status === 'failed'), {
    describe: 'it is given up',
  });
  expect(await connecting).toMatchObject({ code: 'CONNECT_TIMEOUT', serverName: 'mute' });
  await hub.close();
});

test('a closed hub gives no views', async () => {
  const hub = new Hub();
  await hub.close();
  expect(() => hub.view()).toThrow(expect.objectContaining({ code: 'HUB_CLOSED' }));
});

test('setServers takes server objects that refer to themselves', async () => {
  const server = new ScriptedServer({ 'tools/list': () => ({ tools: [] }) });
  Object.assign(server, { self: server });
  await using hub = new Hub({ servers: [McpServer.sdk('round', server)] });
  expect(await hub.setServers([McpServer.sdk('round', server)])).toEqual({
    added: [],
    removed: [],
    changed: [],
    errors: {},
  });
});

test('setServers tells policies apart that only look the same, and takes those that refer to themselves', async () => {
  const policy = () => {
    const made = { name: 'house', self: {} };
    return Object.assign(made, { self: made });
  };
  const server = healthyServer('files').withPolicies(policy());
  await using hub = new Hub({ servers: [server] });
  const [same, other] = [await hub.setServers([server.with({})]), healthyServer('files').withPolicies(policy())];
  const replaced = await hub.setServers([other]);
  expect([same.changed, replaced.changed, hub.server('files') === other]).toEqual([[], ['files'], true]);
});

test('of two servers with one name the first is used, and a different second one is warned of', async () => {
  const logger = new RecordingLogger();
  await using hub = new Hub({
    servers: [McpServer.stdio('same', 'one'), McpServer.stdio('same', 'one'), McpServer.stdio('same', 'two')],
    logger,
  });
  expect(hub.server('same').transport).toMatchObject({ command: 'one' });
  expect(logger.messages('warn')).toEqual(['two servers have one name; the first is used']);
});

test('a logger that throws harms nobody', async () => {
  const logger = {
    log: () => {
      throw new Error('disk full');
    },
  };
  await using hub = new Hub({ servers: [faultyServer('broken', 'exit-at-start')], logger, random: () => 0 });
  await expect(hub.connect('broken')).rejects.toMatchObject({ code: 'SERVER_EXITED' });
});
