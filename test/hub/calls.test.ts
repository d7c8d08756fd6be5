import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { until } from '../fixtures/until.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';
import { faultyServer, healthyServer } from './servers.ts';

test('[S3.call-tool] callTool starts a server that was only declared, and returns what the tool returned', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  expect(hub.serverStatus('files').phase).toBe('idle');
  expect(await hub.callTool('files', 'add', { arguments: { a: 1, b: 2 } })).toEqual({
    content: [{ type: 'text', text: '3' }],
    structuredContent: { sum: 3 },
    isError: false,
  });
});

test('[S3.call-tool] an unknown server and an unknown tool are typed errors', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  await expect(hub.callTool('flies', 'echo')).rejects.toMatchObject({
    code: 'SERVER_UNKNOWN',
    message: expect.stringContaining('files'),
  });
  await expect(hub.callTool('files', 'ecco')).rejects.toMatchObject({
    name: 'McpToolError',
    code: 'TOOL_UNKNOWN',
    serverName: 'files',
    toolName: 'ecco',
  });
});

test('[S3.list-resources] [S3.read-resource] lists resources with templates, and reads text and binary', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const { resources, templates } = await hub.listResources('files');
  expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
    ['fixture://text', 'text/plain'],
    ['fixture://binary', 'application/octet-stream'],
  ]);
  expect(templates).toEqual([expect.objectContaining({ name: 'item', uriTemplate: expect.stringContaining('{id}') })]);
  expect(await hub.readResource('files', 'fixture://text')).toEqual([
    { uri: 'fixture://text', mimeType: 'text/plain', text: 'a text' },
  ]);
  const [binary] = await hub.readResource('files', 'fixture://binary');
  expect(Buffer.from(String(binary?.blob), 'base64').length).toBeGreaterThan(0);
});

test('lists prompts and gets one with arguments', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const prompts = await hub.listPrompts('files');
  expect(prompts.length).toBeGreaterThan(1);
  const withArguments = prompts.find((prompt) => prompt.arguments.length > 0);
  const given = Object.fromEntries((withArguments?.arguments ?? []).map(({ name }) => [name, 'Ada']));
  const { messages } = await hub.getPrompt('files', withArguments?.name ?? '', { arguments: given });
  expect(JSON.stringify(messages)).toContain('Ada');
});

test('[S1.filter] offers what the allow list has and the block list has not, and warns once of names the server lacks', async () => {
  const logger = new RecordingLogger();
  const server = healthyServer('files').withTools({ enabled: ['echo', 'add', 'ecco'], disabled: ['add'] });
  await using hub = new Hub({ servers: [server], logger });
  await hub.connect('files');
  await hub.reconnect('files');
  expect(hub.tools().map(({ tool }) => tool)).toEqual(['echo']);
  await expect(hub.callTool('files', 'add', { arguments: { a: 1, b: 2 } })).rejects.toMatchObject({
    code: 'TOOL_UNKNOWN',
  });
  expect(logger.messages('warn').filter((message) => message.includes('filter'))).toHaveLength(1);
  expect(hub.serverStatus('files').warnings).toEqual([expect.stringContaining('ecco')]);
});

test('[S3.transports] stdio, http and sdk parse from JSON and connect; an sdk name resolves to a registered server', async () => {
  await using hub = new Hub({ inProcess: { inner: createV2Server() }, servers: [McpServer.sdk('inner')] });
  expect(await hub.callTool('inner', 'echo', { arguments: { message: 'in here' } })).toMatchObject({
    content: [{ type: 'text', text: 'in here' }],
  });
  await expect(hub.connect('outer', McpServer.sdk('outer'))).rejects.toMatchObject({
    message: expect.stringContaining("'outer'"),
  });
});

test('a call ends at its timeout, is cancelled at the server, and leaves the connection in use', async () => {
  const clock = new ManualClock();
  await using hub = new Hub({
    inProcess: { inner: createV2Server() },
    servers: [McpServer.sdk('inner').withTimeout(5_000)],
    clock,
  });
  await hub.connect('inner');
  const call = hub
    .callTool('inner', 'slow', { arguments: { ms: 3_600_000, steps: 1 } })
    .catch((error: unknown) => error);
  await clock.advance(4_999);
  expect(hub.serverStatus('inner').status).toBe('connected');
  await clock.advance(1);
  expect(await call).toMatchObject({
    name: 'McpTimeoutError',
    code: 'CALL_TIMEOUT',
    timeoutMs: 5_000,
    serverName: 'inner',
  });
  expect(await hub.callTool('inner', 'echo', { arguments: { message: 'next' } })).toMatchObject({ isError: false });
});

test('progress extends the timeout, up to the hard maximum', async () => {
  const clock = new ManualClock();
  const server = faultyServer('forever', 'progress-forever', { everyMs: 5 }).withTimeout(1_000);
  await using hub = new Hub({ servers: [server], clock, limits: { callTotalMs: 3_000 } });
  const connecting = hub.connect('forever');
  await connecting;
  let progress = 0;
  const call = hub
    .callTool('forever', 'echo', { arguments: { message: 'x' }, onProgress: () => (progress += 1) })
    .catch((error: unknown) => error);
  for (let step = 0; step < 4; step += 1) {
    const before = progress;
    await until(() => progress > before, { describe: 'more progress came' });
    await clock.advance(900);
  }
  expect(await call).toMatchObject({ code: 'CALL_TIMEOUT', timeoutMs: 3_000 });
});

test('a server gets no more calls than it may have waiting; the rest are refused unsent', async () => {
  await using hub = new Hub({
    servers: [faultyServer('slow', 'hang-on-call'), healthyServer('quick')],
    limits: { pendingCalls: 3 },
  });
  await hub.connectAll();
  const giveUp = new AbortController();
  const calls = Array.from({ length: 5 }, () => hub.callTool('slow', 'echo', { signal: giveUp.signal }).catch(codeOf));
  expect(await Promise.all(calls.slice(3))).toEqual(['OVERLOADED', 'OVERLOADED']);
  expect(await hub.callTool('quick', 'echo', { arguments: { message: 'free' } })).toMatchObject({ isError: false });
  giveUp.abort();
  expect(await Promise.all(calls.slice(0, 3))).toEqual(['CALL_CANCELLED', 'CALL_CANCELLED', 'CALL_CANCELLED']);
});

test('at most so many servers connect at once, and all get their turn', async () => {
  const servers = Array.from({ length: 5 }, (_, index) =>
    healthyServer(`s${index}`, { env: { NUMBER: String(index) } }),
  );
  await using hub = new Hub({ servers, limits: { connectsAtOnce: 2 } });
  expect((await hub.connectAll()).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'connected'));
});

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
