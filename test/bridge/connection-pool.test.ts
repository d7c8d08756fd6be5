import { expect, test } from 'vitest';
import { McpConnectionPool } from '../../src/bridge/mcp-connection-pool.ts';
import { Caller, defineTool, Hub, McpServer } from '../../src/index.ts';
import type { CallReport } from '../../src/index.ts';
import { ResourceContainer } from '../../src/session/resource-container.ts';
import { ResourceRegistry } from '../../src/session/resource-registry.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';

/** Tells what the pool in its context has under a name. */
const look = defineTool({
  name: 'look',
  description: 'Uses a connection of the pool.',
  params: { type: 'object', properties: { server: { type: 'string' } } },
  handler: async ({ server }, { resources }) => {
    const pool = resources.get(McpConnectionPool);
    const connection = pool?.get(String(server));
    if (!connection) return { structuredContent: { hasPool: pool !== undefined, connection: null } };
    const before = connection.status.phase;
    const { content } = await connection.callTool('echo', { arguments: { message: 'through the pool' } });
    const { resources: listed } = await connection.listResources();
    return {
      structuredContent: {
        name: connection.name,
        phases: [before, connection.status.phase],
        hasTools: connection.tools.some(({ tool }) => tool === 'echo'),
        content,
        uris: listed.map(({ uri }) => uri),
        read: await connection.readResource('fixture://text'),
        prompts: (await connection.listPrompts()).map(({ name }) => name),
        messages: (await connection.getPrompt('simple')).messages.length,
      },
    };
  },
});

test('[S1.pool] a tool finds the live connection of a server in its context', async () => {
  const report = await callLook('github', (hub) => ResourceRegistry.of(McpConnectionPool.over(hub)));
  expect(report.structuredContent).toEqual({
    name: 'github',
    phases: ['idle', 'connected'],
    hasTools: true,
    content: [{ type: 'text', text: 'through the pool' }],
    uris: ['fixture://text', 'fixture://binary'],
    read: [{ uri: 'fixture://text', mimeType: 'text/plain', text: 'a text' }],
    prompts: expect.arrayContaining(['simple']),
    messages: 1,
  });
});

test('[S1.pool] an unknown name, or no pool, gives undefined', async () => {
  const unknown = await callLook('nobody', (hub) => ResourceRegistry.of(McpConnectionPool.over(hub)));
  const unbound = await callLook('github', () => ResourceRegistry.of());
  const nothing = await callLook('github', () => undefined);
  expect([unknown, unbound, nothing].map(({ structuredContent }) => structuredContent)).toEqual([
    { hasPool: true, connection: null },
    { hasPool: false, connection: null },
    { hasPool: false, connection: null },
  ]);
});

test('a connection is gone from the pool with its server, and closing the container leaves the hub open', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('github', createV2Server())] });
  const container = new ResourceContainer(ResourceRegistry.of(McpConnectionPool.over(hub)));
  const pool = container.get(McpConnectionPool);
  expect(pool?.names()).toEqual(['github']);
  await container.close();
  expect((await hub.connect('github')).status).toBe('connected');
  await hub.setServers([]);
  expect(pool?.get('github')).toBeUndefined();
});

async function callLook(server: string, registryOf: (hub: Hub) => ResourceRegistry | undefined): Promise<CallReport> {
  await using hub = new Hub({ servers: [McpServer.sdk('github', createV2Server())] });
  const registry = registryOf(hub);
  const resources = registry && new ResourceContainer(registry);
  return await new Caller({ hub, tools: [look], ...(resources && { resources }) }).call('look', { server });
}
