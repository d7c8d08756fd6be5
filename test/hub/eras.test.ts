import { expect, test } from 'vitest';
import { createEraStore, Hub, McpServer } from '../../src/index.ts';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { faultyServer, fromCommand, healthyServer, v1Server } from './servers.ts';

test('each server is spoken to in its own era', async () => {
  await using remote = await startHttpServer('v2-server.mjs', { mode: 'modern-http' });
  await using old = await startHttpServer('v1-server.mjs');
  await using hub = new Hub({
    servers: [
      fromCommand('modern', v2Stdio('modern-stdio')),
      fromCommand('dual', v2Stdio('dual-stdio')),
      healthyServer('legacy'),
      v1Server('older'),
      McpServer.http('remote', remote.url),
      McpServer.http('remote-older', old.url),
    ],
    // Long enough for any machine: what is tested is the answer, not its speed.
    limits: { eraProbeMs: 25_000 },
  });
  const statuses = await hub.connectAll();
  expect(statuses.map(({ name, era, protocolVersion, error }) => [name, era, protocolVersion, error])).toEqual([
    ['modern', 'modern', '2026-07-28', undefined],
    ['dual', 'modern', '2026-07-28', undefined],
    ['legacy', 'legacy', '2025-11-25', undefined],
    ['older', 'legacy', '2025-11-25', undefined],
    ['remote', 'modern', '2026-07-28', undefined],
    ['remote-older', 'legacy', '2025-11-25', undefined],
  ]);
  for (const { name } of statuses) {
    expect(await hub.callTool(name, 'echo', { arguments: { message: name } })).toMatchObject({
      content: [{ text: name }],
    });
  }
});

test('a server that the probe kills is started again as a legacy one, without a wait', async () => {
  await using hub = new Hub({ servers: [faultyServer('touchy', 'exit-on-probe')] });
  expect(await hub.connect('touchy')).toMatchObject({ status: 'connected', era: 'legacy', restarts: 1 });
  await hub.disconnect('touchy');
  expect(await hub.connect('touchy')).toMatchObject({ status: 'connected' });
});

test('a silent legacy server costs one probe, once', async () => {
  await using folder = await openTemporaryFolder();
  await using hub = new Hub({ servers: [faultyServer('shy', 'silent-probe', { received: folder.file('received') })] });
  expect(await hub.connect('shy')).toMatchObject({ status: 'connected', era: 'legacy', restarts: 0 });
  await hub.reconnect('shy');
  const probes = folder.lines('received').filter((line) => line.includes('server/discover'));
  expect(probes).toHaveLength(1);
});

test('an older SSE endpoint behind an http url is found', async () => {
  await using old = await startHttpServer('v1-server.mjs', { mode: 'sse' });
  await using hub = new Hub({ servers: [McpServer.http('old', old.url)] });
  expect(await hub.connect('old')).toMatchObject({ status: 'connected', era: 'legacy' });
  expect(await hub.callTool('old', 'echo', { arguments: { message: 'x' } })).toMatchObject({ isError: false });
});

test('a server that answers too late for its first connection is spoken to in its own era at the next', async () => {
  const eras = createEraStore();
  const servers = [fromCommand('slow', v2Stdio('dual-stdio'))];
  await using hasty = new Hub({ servers, eras, limits: { eraProbeMs: 1 } });
  const status = await hasty.connect('slow');
  expect(status).toMatchObject({ status: 'connected', era: 'legacy' });
  // The late answer was asked for: it is no noise of the server's.
  expect(status.droppedMessages).toBeUndefined();
  await using patient = new Hub({ servers, eras, limits: { eraProbeMs: 25_000 } });
  expect(await patient.connect('slow')).toMatchObject({ status: 'connected', era: 'modern' });
});
