import { expect, test } from 'vitest';
import { Hub, McpConnectionError } from '../../src/index.ts';
import { alive } from '../fixtures/processes.ts';
import { healthyServer } from './servers.ts';

test('identical servers share one process, whatever they are called, until the last one lets go', async () => {
  await using hub = new Hub({ servers: [healthyServer('one'), healthyServer('two')] });
  const [one, two] = await hub.connectAll();
  expect(two?.pid).toBe(one?.pid);
  expect(hub.tools('two').map(({ name }) => name)).toContain('mcp__two__echo');
  await hub.disconnect('one');
  expect(alive(two?.pid ?? 0)).toBe(true);
  expect(await hub.callTool('two', 'echo', { arguments: { message: 'shared' } })).toMatchObject({ isError: false });
  await hub.disconnect('two');
  expect(alive(two?.pid ?? 0)).toBe(false);
});

test('views give one name to different servers, and share the connections they have in common', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const same = hub.view({ servers: [healthyServer('files')] });
  const other = hub.view({ servers: [healthyServer('files', { env: { OTHER: 'yes' } })] });
  const [first, second, third] = await Promise.all([
    hub.connect('files'),
    same.connect('files'),
    other.connect('files'),
  ]);
  expect(second.pid).toBe(first.pid);
  expect(third.pid).not.toBe(first.pid);
  await other.close();
  expect([first, third].map(({ pid }) => alive(pid ?? 0))).toEqual([true, false]);
  await same.close();
  expect(await hub.callTool('files', 'echo', { arguments: { message: 'mine' } })).toMatchObject({ isError: false });
});

test('connections are never shared between principals', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')], principal: 'alice' });
  const bobs = hub.view({ servers: [healthyServer('files')], principal: 'bob' });
  const [alice, bob] = await Promise.all([hub.connect('files'), bobs.connect('files')]);
  expect(bob.pid).not.toBe(alice.pid);
});

test('a view that only looks on sees what others do, starts nothing and keeps nothing running', async () => {
  await using hub = new Hub();
  const servers = [healthyServer('one')];
  const onlooker = hub.view({ servers, watches: true });
  await expect(onlooker.connect('one')).rejects.toThrow(McpConnectionError);
  const user = hub.view({ servers });
  const { pid } = await user.connect('one');
  expect(onlooker.serverStatus('one')).toMatchObject({ phase: 'connected', pid });
  expect(onlooker.tools()).toEqual(user.tools());
  await expect(onlooker.reconnect('one')).rejects.toThrow(McpConnectionError);
  expect(user.serverStatus('one')).toMatchObject({ phase: 'connected', pid });
  await user.close();
  expect([alive(pid ?? 0), onlooker.serverStatus('one').phase]).toEqual([false, 'idle']);
  const next = hub.view({ servers });
  await next.callTool('one', 'echo', { arguments: { message: 'again' } });
  expect(onlooker.serverStatus('one').phase).toBe('connected');
  await onlooker.close();
  expect(next.serverStatus('one').phase).toBe('connected');
});

test('a switch in one view leaves the others as they are', async () => {
  await using hub = new Hub({ servers: [healthyServer('files')] });
  const view = hub.view({ servers: [healthyServer('files')], naming: '{prefix}_{tool}' });
  await view.connect('files');
  hub.toggle('files', false);
  expect(hub.tools()).toEqual([]);
  expect(view.findTool('files_echo')).toMatchObject({ tool: 'echo' });
  expect(await view.callTool('files', 'echo', { arguments: { message: 'on' } })).toMatchObject({ isError: false });
});

test('closing a hub closes its views and every process behind them', async () => {
  const hub = new Hub();
  const view = hub.view({ servers: [healthyServer('files')] });
  const { pid = 0 } = await view.connect('files');
  await hub.close();
  expect(alive(pid)).toBe(false);
  await expect(view.callTool('files', 'echo')).rejects.toMatchObject({ code: 'HUB_CLOSED' });
});
