import { describe, expect, test } from 'vitest';
import { Hub, McpServer, textOf } from '../../src/index.ts';
import { v1Stdio, v2Stdio } from '../fixtures/fixture-commands.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { TcpFaultProxy } from '../fixtures/tcp-fault-proxy.ts';
import { until } from '../fixtures/until.ts';
import { fromCommand } from './servers.ts';

const TEXT = 'fixture://text';

describe.for([
  { era: 'of SDK v1', command: v1Stdio() },
  { era: 'of SDK v2 with a handshake', command: v2Stdio() },
  { era: 'of 2026-07-28', command: v2Stdio('modern-stdio') },
])('a resource of a server $era', ({ command }) => {
  test('is followed until it is unfollowed, across a reconnect', async () => {
    await using hub = new Hub({ servers: [fromCommand('files', command)] });
    const seen: string[] = [];
    hub.on('resource-changed', ({ server, uri }) => seen.push(`${server} ${uri}`));
    const unfollow = await hub.followResource('files', TEXT);
    await touchUntil(hub, () => seen.length > 0);
    expect(new Set(seen)).toEqual(new Set([`files ${TEXT}`]));
    await hub.reconnect('files');
    seen.length = 0;
    await touchUntil(hub, () => seen.length > 0);
    await unfollow();
    await hub.callTool('files', 'echo', { arguments: { message: 'everything before this has arrived' } });
    seen.length = 0;
    await hub.callTool('files', 'touch');
    await hub.callTool('files', 'echo', { arguments: { message: 'so has the change' } });
    expect(seen).toEqual([]);
  });
});

describe.for([
  { what: 'the stream of a legacy server (SDK defect 4)', mode: 'http' },
  { what: 'the subscription of a server of 2026-07-28 (SDK defect 19)', mode: 'modern-http' },
])('$what', ({ mode }) => {
  test('is opened again after every drop', async () => {
    const clock = new ManualClock();
    await using remote = await startHttpServer('v2-server.mjs', { mode });
    await using proxy = await TcpFaultProxy.open(remote.port);
    const through = `http://127.0.0.1:${proxy.port}/mcp`;
    await using hub = new Hub({ servers: [McpServer.http('remote', through)], clock, random: () => 0.5 });
    await hub.connect('remote');
    const grown = (): number => hub.tools().filter(({ tool }) => tool.startsWith('grown-')).length;
    await growUntil(hub, clock, () => grown() > 0);
    for (let drop = 0; drop < 4; drop += 1) {
      proxy.faults.refuse = true;
      proxy.resetAll();
      await until(() => clock.pending > 0, { describe: 'the drop is seen' });
      await clock.advance(40_000);
    }
    proxy.faults.refuse = false;
    const before = grown();
    await growUntil(hub, clock, () => grown() > before);
    expect(hub.serverStatus('remote')).toMatchObject({ status: 'connected', restarts: 0 });
  });
});

test('what changed while no subscription was open is found when there is one again', async () => {
  const clock = new ManualClock();
  await using remote = await startHttpServer('v2-server.mjs', { mode: 'modern-http' });
  await using proxy = await TcpFaultProxy.open(remote.port);
  const through = McpServer.http('remote', `http://127.0.0.1:${proxy.port}/mcp`);
  await using hub = new Hub({ servers: [through], clock, random: () => 0.5 });
  await hub.connect('remote');
  await growUntil(hub, clock, () => hub.findTool('mcp__remote__grown-1') !== undefined);
  proxy.faults.refuse = true;
  proxy.resetAll();
  await until(() => clock.pending > 0, { describe: 'the drop is seen' });
  await using other = new Hub({ servers: [McpServer.http('remote', remote.url)] });
  const { content } = await other.callTool('remote', 'grow');
  proxy.faults.refuse = false;
  const isFound = async (): Promise<boolean> => {
    await clock.advance(10_000);
    return hub.findTool(`mcp__remote__${textOf(content)}`) !== undefined;
  };
  await until(isFound, { describe: 'the tool is found' });
});

test('what a legacy server changed while its stream was down is found when the stream is open again', async () => {
  const clock = new ManualClock();
  await using remote = await startFaultyHttp('sse-gap');
  await using hub = new Hub({ servers: [McpServer.http('remote', remote.url)], clock, random: () => 0.5 });
  await hub.connect('remote');
  await until(() => remote.openStreams === 1, { describe: 'the stream is open' });
  await hub.callTool('remote', 'echo', { arguments: { message: 'x' } });
  await until(() => clock.pending > 0, { describe: 'the drop is seen' });
  expect(hub.findTool('mcp__remote__grown')).toBeUndefined();
  const isFound = async (): Promise<boolean> => {
    await clock.advance(10_000);
    return hub.findTool('mcp__remote__grown') !== undefined;
  };
  await until(isFound, { describe: 'the tool is found' });
});

/** A subscription is in force some time after it was asked for. */
async function touchUntil(hub: Hub, isSeen: () => boolean): Promise<void> {
  const touch = async (): Promise<boolean> => {
    await hub.callTool('files', 'touch');
    return isSeen();
  };
  await until(touch, { describe: 'the change is seen' });
}

async function growUntil(hub: Hub, clock: ManualClock, isSeen: () => boolean): Promise<void> {
  const grow = async (): Promise<boolean> => {
    await hub.callTool('remote', 'grow').catch(() => undefined);
    await clock.advance(10_000);
    return isSeen();
  };
  await until(grow, { describe: 'the new tool is seen' });
}
