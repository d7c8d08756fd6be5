import { expect, test } from 'vitest';
import { HubToolProvider } from '../../src/bridge/hub-tool-provider.ts';
import { McpToolBundle } from '../../src/bridge/mcp-tool-bundle.ts';
import { Caller, Hub, McpServer } from '../../src/index.ts';
import type { JsonObject } from '../../src/index.ts';
import { faulty, v2Stdio } from '../fixtures/fixture-commands.ts';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';

const ECHO_AND_LOOK = [
  { name: 'echo', description: 'Returns the message.', inputSchema: messageSchema() },
  { name: 'look', description: 'Returns the message, and changes nothing.', inputSchema: messageSchema() },
];

test('[S2.bundles] discovery starts the server in a hub and gives a bundle with the specs', async () => {
  await using hub = new Hub();
  const bundle = new McpToolBundle({ name: 'files', ...faulty('healthy') });
  const discovered = await bundle.discover(hub);
  expect(bundle.toolSpecs).toEqual([]);
  expect({ ...discovered }).toEqual({ ...bundle, toolSpecs: ECHO_AND_LOOK });
  expect(await new Caller({ hub }).call('mcp__files__echo', { message: 'x' })).toMatchObject({ outcome: 'ok' });
});

test('[S2.bundles] a hub that has the server already keeps its connection and declaration', async () => {
  const bundle = new McpToolBundle({ name: 'files', ...faulty('healthy') });
  await using hub = new Hub({ servers: [bundle.toServer().withTools({ enabled: ['look'] })] });
  const { pid } = await hub.connect('files');
  expect((await bundle.discover(hub)).toolSpecs.map(({ name }) => name)).toEqual(['look']);
  expect(hub.serverStatus('files').pid).toBe(pid);
});

test('a bundle never takes the name of another server', async () => {
  await using hub = new Hub({ servers: [McpServer.sdk('files', createV2Server())] });
  const bundle = new McpToolBundle({ name: 'files', ...v2Stdio() });
  await expect(bundle.discover(hub)).rejects.toMatchObject({ code: 'SERVER_INVALID', serverName: 'files' });
  expect(hub.server('files').transport.kind).toBe('sdk');
});

test('a server that cannot start is told as such', async () => {
  await using hub = new Hub();
  const bundle = new McpToolBundle({ name: 'missing', command: 'no-such-command-anywhere' });
  await expect(bundle.discover(hub)).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
});

test('[S2.bundles] a provider gives the bundles of a hub, and the declaration for each', async () => {
  const files = new McpToolBundle({ name: 'files', ...faulty('healthy') });
  await using hub = new Hub({ servers: [files.toServer(), McpServer.sdk('inner', createV2Server())] });
  const provider = new HubToolProvider(hub);
  expect(provider.getBundles()).toEqual([files, { name: 'inner', toolSpecs: [] }]);
  await hub.connect('files');
  expect(provider.getBundles()[0]).toEqual(new McpToolBundle({ ...files, toolSpecs: ECHO_AND_LOOK }));
  const [first, second] = provider.getBundles();
  if (!first || !second) throw new Error('bundles are missing');
  expect([provider.toProviderConfig(first), provider.toProviderConfig(second)]).toEqual(hub.servers());
});

test('[S2.bundles] a provider makes the declaration of a bundle that the hub does not know', async () => {
  await using hub = new Hub();
  const provider = new HubToolProvider(hub);
  const git = McpToolBundle.fromNpm('git', '@example/mcp-server-git');
  expect(provider.toProviderConfig(git)).toEqual(git.toServer());
  expect(() => provider.toProviderConfig({ name: 'none', toolSpecs: [] })).toThrow("no server is called 'none'");
});

function messageSchema(): JsonObject {
  return { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
}
