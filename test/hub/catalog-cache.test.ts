import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileCatalogCache, Hub, systemClock } from '../../src/index.ts';
import type { HubOptions, McpServer } from '../../src/index.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/until.ts';
import { healthyServer } from './servers.ts';

test('tools are known before a server is started, once it was seen', async () => {
  await using folder = await openTemporaryFolder();
  const first = await seen(folder.path, [healthyServer('files')]);
  await using hub = openHub(folder.path, { servers: [healthyServer('files')] });
  expect(hub.tools().map(({ name }) => name)).toEqual(first);
  expect(hub.serverStatus('files')).toMatchObject({ phase: 'idle', restarts: 0 });
  expect(hub.serverStatus('files').pid).toBeUndefined();
  expect(await hub.callTool('files', 'echo', { arguments: { message: 'now' } })).toMatchObject({ isError: false });
});

test('the first connect verifies what was kept, and publishes what is different', async () => {
  await using folder = await openTemporaryFolder();
  await seen(folder.path, [healthyServer('files')]);
  const [file = ''] = await readdir(folder.path);
  const kept = await readFile(join(folder.path, file), 'utf8');
  await writeFile(join(folder.path, file), kept.replace('"tool":"echo"', '"tool":"gone"'));
  await using hub = openHub(folder.path, { servers: [healthyServer('files')] });
  const changes: unknown[] = [];
  hub.on('tools-changed', ({ added, removed, changed }) => changes.push({ added, removed, changed }));
  expect([hub.findTool('mcp__files__gone'), hub.findTool('mcp__files__echo')].map(Boolean)).toEqual([true, false]);
  await hub.connect('files');
  expect(changes).toEqual([{ added: ['mcp__files__echo'], removed: ['mcp__files__gone'], changed: [] }]);
});

test('a catalog that is not public is kept for its principal alone', async () => {
  await using folder = await openTemporaryFolder();
  await seen(folder.path, [healthyServer('files')]);
  await using mine = openHub(folder.path, { servers: [healthyServer('files')] });
  await using yours = openHub(folder.path, { servers: [healthyServer('files')], principal: 'you' });
  expect([mine.tools().length > 0, yours.tools().length]).toEqual([true, 0]);
});

test('another definition of the same name has a catalog of its own', async () => {
  await using folder = await openTemporaryFolder();
  await seen(folder.path, [healthyServer('files')]);
  await using hub = openHub(folder.path, { servers: [healthyServer('files', { env: { OTHER: 'yes' } })] });
  expect(hub.tools()).toEqual([]);
});

test.each([
  '',
  '{',
  '[]',
  '{"version":1}',
  '{"version":2}',
  '{"version":1,"server":"files","savedAt":1,"catalog":{"tools":[7]}}',
])('a damaged file (%j) is made anew, and is never fatal', async (damage) => {
  await using folder = await openTemporaryFolder();
  await seen(folder.path, [healthyServer('files')]);
  const [file = ''] = await readdir(folder.path);
  await writeFile(join(folder.path, file), damage);
  expect((await seen(folder.path, [healthyServer('files')])).length).toBeGreaterThan(0);
  await using hub = openHub(folder.path, { servers: [healthyServer('files')] });
  expect(hub.tools().length).toBeGreaterThan(0);
});

test('two hubs may use one cache at once', async () => {
  await using folder = await openTemporaryFolder();
  const servers = [healthyServer('one', { env: { N: '1' } }), healthyServer('two', { env: { N: '2' } })];
  await Promise.all([seen(folder.path, servers), seen(folder.path, servers)]);
  const cache = new FileCatalogCache(folder.path, systemClock);
  expect((await cache.list()).map(({ server }) => server)).toEqual(['one', 'two']);
  expect(await cache.clear('one')).toBe(1);
  expect((await cache.list()).map(({ server }) => server)).toEqual(['two']);
  expect(await cache.clear()).toBe(1);
  expect(await readdir(folder.path).catch(() => [])).toEqual([]);
});

test('resources and prompts are kept too, once they were asked for', async () => {
  await using folder = await openTemporaryFolder();
  const hub = openHub(folder.path, { servers: [healthyServer('files')] });
  await hub.listResources('files');
  await hub.listPrompts('files');
  await hub.close();
  const cache = new FileCatalogCache(folder.path, systemClock);
  const [kept] = await until(() => cache.list(), { describe: 'the catalog is written' });
  expect([kept?.catalog.resources?.length, kept?.catalog.prompts?.length].every((count) => (count ?? 0) > 0)).toBe(
    true,
  );
});

test('what was learned last is what is kept, however long an earlier writing takes', async () => {
  await using folder = await openTemporaryFolder();
  const cache = new FileCatalogCache(folder.path, systemClock);
  const memory = cache.memoryOf({ definition: 'd', principal: 'p', server: 'files' });
  const prompt = (name: string) => ({ name, arguments: [] });
  // Large ones take longer to write than the small one behind them.
  for (let count = 20; count > 0; count -= 1)
    memory.keep({
      tools: [],
      quarantined: [],
      warnings: [],
      prompts: Array.from({ length: count ** 3 }, (_, index) => prompt(`${index}`)),
    });
  await cache.flush();
  expect(memory.recall()?.prompts).toEqual([prompt('0')]);
});

function openHub(folder: string, options: HubOptions): Hub {
  return new Hub({ ...options, catalogs: new FileCatalogCache(folder, systemClock) });
}

/** Connects once, so that the catalogs are kept; gives the names of the tools. */
async function seen(folder: string, servers: readonly McpServer[]): Promise<readonly string[]> {
  await using hub = openHub(folder, { servers });
  await hub.connectAll();
  return hub.tools().map(({ name }) => name);
}
