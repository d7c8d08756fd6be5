import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { startModernHttp } from '../fixtures/modern-http-server.ts';
import { until } from '../fixtures/until.ts';

test('tools whose time is over are listed again when they are next used', async () => {
  const clock = new ManualClock();
  let lists = 0;
  await using server = await startModernHttp({
    'tools/list': () => ({
      tools: [tool('echo'), tool(`version-${(lists += 1)}`)],
      ttlMs: 1_000,
      cacheScope: 'public',
    }),
    'tools/call': () => ({ content: [] }),
  });
  await using hub = new Hub({ servers: [McpServer.http('changing', server.url)], clock });
  await hub.connect('changing');
  await clock.advance(999);
  await hub.callTool('changing', 'echo');
  await clock.advance(1);
  expect(lists).toBe(1);
  await hub.callTool('changing', 'echo');
  await clock.advance(250);
  await until(() => hub.findTool('mcp__changing__version-2'), { describe: 'the new list is in use' });
});

test('resources are asked for again unless the server gave them a time', async () => {
  const clock = new ManualClock();
  let lists = 0;
  let ttlMs = 0;
  await using server = await startModernHttp({
    'tools/list': () => ({ tools: [], ttlMs: 0, cacheScope: 'public' }),
    'resources/list': () => ({ resources: [{ uri: `r:${(lists += 1)}`, name: 'r' }], ttlMs, cacheScope: 'private' }),
    'resources/templates/list': () => ({ resourceTemplates: [], ttlMs: 0, cacheScope: 'private' }),
  });
  await using hub = new Hub({ servers: [McpServer.http('changing', server.url)], clock });
  const uris = async (): Promise<readonly string[]> =>
    (await hub.listResources('changing')).resources.map(({ uri }) => uri);
  expect([await uris(), await uris()]).toEqual([['r:1'], ['r:2']]);
  ttlMs = 500;
  expect([await uris(), await uris()]).toEqual([['r:3'], ['r:3']]);
  await clock.advance(500);
  expect(await uris()).toEqual(['r:4']);
});

function tool(name: string): object {
  return { name, inputSchema: { type: 'object' } };
}
