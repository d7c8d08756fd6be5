import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import { alive } from '../fixtures/processes.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { faultyServer, healthyServer } from './servers.ts';

test('[S1.connect-retries] a first connect tries three times, each with a fresh process, and says what the last one wrote', async () => {
  await using folder = await openTemporaryFolder();
  const counter = join(folder.path, 'starts');
  await using hub = new Hub({
    servers: [faultyServer('flaky', 'exit-n-times', { times: 2, counter })],
    random: () => 0,
  });
  expect(await hub.connect('flaky')).toMatchObject({ status: 'connected', restarts: 2 });
});

test('[S1.connect-retries] gives up after three attempts', async () => {
  await using folder = await openTemporaryFolder();
  const counter = join(folder.path, 'starts');
  await using hub = new Hub({
    servers: [faultyServer('broken', 'exit-n-times', { times: 99, counter })],
    random: () => 0,
  });
  await expect(hub.connect('broken')).rejects.toMatchObject({ code: 'SERVER_EXITED', name: 'McpConnectionError' });
  expect(Number(await readFile(counter, 'utf8'))).toBe(3);
});

test('[S1.connect-retries] a command that does not exist, and a version that is not spoken, are not tried again', async () => {
  await using hub = new Hub({
    servers: [McpServer.stdio('missing', 'no-such-command-anywhere'), faultyServer('ancient', 'unsupported-version')],
    random: () => 0,
  });
  await expect(hub.connect('missing')).rejects.toMatchObject({
    code: 'COMMAND_NOT_FOUND',
    message: expect.stringContaining('no-such-command-anywhere'),
  });
  await expect(hub.connect('ancient')).rejects.toMatchObject({
    code: 'VERSION_UNSUPPORTED',
    message: expect.stringMatching(/1999-01-01.*2025-11-25/s),
  });
  expect(hub.status().map(({ restarts }) => restarts)).toEqual([0, 0]);
});

test('[S1.reconnect] [S1.fail-lost] a lost connection is made again with a fresh process', async () => {
  // In a namespace the wrapper's exit hides the signal.
  await using hub = new Hub({ servers: [healthyServer('files')], random: () => 0, pidNamespace: 'off' });
  const { pid = 0 } = await hub.connect('files');
  const events: string[] = [];
  hub.on('server-disconnected', ({ error }) => events.push(`disconnected: ${error}`));
  hub.on('server-connected', () => events.push('connected'));
  process.kill(pid, 'SIGKILL');
  await until(() => events.includes('connected'), { describe: 'the server is connected again' });
  const after = hub.serverStatus('files');
  expect(after).toMatchObject({ status: 'connected', restarts: 1 });
  expect(after.pid).not.toBe(pid);
  expect(events).toEqual([expect.stringContaining('SIGKILL'), 'connected']);
  expect(hub.findTool('mcp__files__echo')).toMatchObject({ tool: 'echo' });
});

test('[S1.reconnect] a server that keeps dying is failed in the end, and the next call tries again', async () => {
  await using hub = new Hub({ servers: [faultyServer('dying', 'crash-on-call')], random: () => 0 });
  for (let call = 0; call < 4; call += 1) {
    await expect(hub.callTool('dying', 'echo')).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS' });
  }
  await until(() => hub.serverStatus('dying').status === 'failed', { describe: 'the server is given up' });
  await expect(hub.callTool('dying', 'echo')).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS' });
});

test('an expired HTTP session is opened again without the caller noticing', async () => {
  const first = await startHttpServer('v1-server.mjs');
  await using hub = new Hub({ servers: [McpServer.http('remote', first.url)], random: () => 0 });
  await hub.callTool('remote', 'echo', { arguments: { message: 'before' } });
  await first[Symbol.asyncDispose]();
  await using _second = await startHttpServer('v1-server.mjs', { port: first.port });
  expect(await hub.callTool('remote', 'echo', { arguments: { message: 'after' } })).toMatchObject({
    content: [{ type: 'text', text: 'after' }],
  });
});

test('an HTTP server that comes back is found again by the next call', async () => {
  const first = await startHttpServer('v1-server.mjs');
  await using hub = new Hub({ servers: [McpServer.http('remote', first.url)], random: () => 0 });
  await hub.connect('remote');
  await first[Symbol.asyncDispose]();
  await expect(hub.callTool('remote', 'echo', { arguments: { message: 'gone' } })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await using _second = await startHttpServer('v1-server.mjs', { port: first.port });
  expect(await hub.callTool('remote', 'echo', { arguments: { message: 'back' } })).toMatchObject({ isError: false });
});

test('a call written to a server that then died is ambiguous, and is not sent again', async () => {
  await using folder = await openTemporaryFolder();
  const executions = join(folder.path, 'executions');
  const server = faultyServer('dying', 'crash-on-call', { executions });
  await using hub = new Hub({ servers: [server], random: () => 0 });
  await expect(hub.callTool('dying', 'echo')).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS', serverName: 'dying' });
  expect((await readFile(executions, 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('a read-only tool of a trusted server is sent again after the connection was lost', async () => {
  await using folder = await openTemporaryFolder();
  const options = { times: 1, counter: join(folder.path, 'crashes'), executions: join(folder.path, 'executions') };
  const server = faultyServer('dying', 'crash-on-call', options);
  await using trusting = new Hub({ servers: [server.with({ trust: 'trusted' })], random: () => 0 });
  expect(await trusting.callTool('dying', 'look', { arguments: { message: 'x' } })).toMatchObject({ isError: false });
});

test('a process that only closed its output counts as dead and is replaced', async () => {
  await using hub = new Hub({ servers: [faultyServer('mute', 'close-stdout')], random: () => 0 });
  const { pid = 0 } = await hub.connect('mute');
  await expect(hub.callTool('mute', 'echo')).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS' });
  await until(() => !alive(pid), { describe: 'the mute process is gone' });
});
