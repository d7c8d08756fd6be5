import { expect, test } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';

test('status names what a server offers and Fairlead does not use', async () => {
  const server = new ScriptedServer({
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tasks: { list: {} } },
      serverInfo: { name: 'tasked', version: '1' },
    }),
  });
  await using hub = new Hub({
    servers: [
      McpServer.sdk('tasked', server),
      McpServer.sdk('plain', new ScriptedServer({ 'tools/list': () => ({ tools: [] }) })),
    ],
  });
  expect((await hub.connectAll()).map(({ name, notSupported }) => [name, notSupported])).toEqual([
    ['tasked', ['tasks']],
    ['plain', undefined],
  ]);
});
