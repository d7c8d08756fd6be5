import { expect, test } from 'vitest';
import { wrapTool } from '../../src/bridge/wrap-tool.ts';
import { Caller, defineTool, Hub, McpServer, PatternPolicy } from '../../src/index.ts';
import type { NativeTool } from '../../src/index.ts';
import { healthyServer } from '../hub/servers.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';

test('[S2.collisions] of two servers whose tools get one name, the one declared first keeps it', async () => {
  await using hub = new Hub({
    naming: '{prefix}_{tool}',
    servers: [
      healthyServer('one', { toolPrefix: 'files', env: { WHO: 'one' } }),
      McpServer.sdk('two', createV2Server(), { toolPrefix: 'files' }),
    ],
  });
  const caller = new Caller({ hub });
  // The second is the first to connect; the order of declaration counts all the same.
  await hub.connect('two');
  await hub.connect('one');
  expect(await caller.call('files_env')).toMatchObject({
    outcome: 'ok',
    content: [{ type: 'text', text: expect.stringContaining('"WHO":"one"') }],
  });
  expect(caller.quarantinedTools()).toContainEqual({
    server: 'two',
    tool: 'env',
    reason: 'its name files_env already belongs to one/env',
  });
  expect(caller.tools().filter(({ name }) => name === 'files_env')).toMatchObject([{ server: 'one' }]);
  expect(await caller.call({ server: 'two', tool: 'env' })).toMatchObject({
    success: false,
    outcome: 'invalid',
    message: 'two: env is quarantined: its name files_env already belongs to one/env',
  });
  expect(hub.serverStatus('two').tools).toContainEqual(
    expect.objectContaining({ name: 'env', quarantined: 'its name files_env already belongs to one/env' }),
  );
});

test('[S2.collisions] a native tool keeps its name against the tool of a server', async () => {
  await using hub = new Hub({ naming: '{prefix}_{tool}', servers: [McpServer.sdk('files', createV2Server())] });
  await hub.connect('files');
  const caller = new Caller({ hub, tools: [saying('files_echo', 'ours')] });
  expect(await caller.call('files_echo', { message: 'theirs' })).toMatchObject({
    content: [{ type: 'text', text: 'ours' }],
  });
  expect(caller.tools().filter(({ name }) => name === 'files_echo')).toMatchObject([{ source: 'native' }]);
  expect(caller.quarantinedTools()).toEqual([
    { server: 'files', tool: 'echo', reason: 'its name files_echo belongs to a native tool' },
  ]);
});

test('[S2.collisions] of two native tools of one name the later is held back', async () => {
  await using hub = new Hub();
  const caller = new Caller({ hub, tools: [saying('say', 'first'), saying('say', 'second')] });
  expect(await caller.call('say')).toMatchObject({ content: [{ type: 'text', text: 'first' }] });
  expect(caller.tools().map(({ name }) => name)).toEqual(['say']);
  expect(caller.quarantinedTools()).toEqual([
    { tool: 'say', reason: 'its name say already belongs to another native tool' },
  ]);
});

test('policies of a tool that is held back decide on nothing', async () => {
  await using hub = new Hub();
  const strict = { ...saying('say', 'second'), policies: [new PatternPolicy({ deny: ['*'] })] };
  const caller = new Caller({ hub, tools: [saying('say', 'first'), strict] });
  expect(await caller.call('say')).toMatchObject({ outcome: 'ok' });
});

test('one native tool that is given twice is one tool', async () => {
  await using hub = new Hub();
  const say = saying('say', 'once');
  const caller = new Caller({ hub, tools: [say, say] });
  expect(caller.tools().map(({ name }) => name)).toEqual(['say']);
  expect(caller.quarantinedTools()).toEqual([]);
});

test('[S2.collisions] a tool that was wrapped under its own name is held back for agents, and runs inside', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('files', createV2Server())] });
  await hub.connect('files');
  const [echo] = hub.tools('files');
  if (!echo) throw new Error('no tool');
  const caller = new Caller({ hub, tools: [wrapTool(echo)] });
  expect(await caller.call('mcp__files__echo', { message: 'x' })).toMatchObject({
    content: [{ type: 'text', text: 'x' }],
  });
  expect(caller.quarantinedTools()).toEqual([
    { server: 'files', tool: 'echo', reason: 'its name mcp__files__echo belongs to a native tool' },
  ]);
});

function saying(name: string, text: string): NativeTool {
  return defineTool({ name, description: 'Says something.', params: { type: 'object' }, handler: () => text });
}
