import { McpServer } from '../../src/index.ts';
import type { InProcessServer, MessageChannelEnd } from '../../src/index.ts';
import { v1Stdio, v2Stdio } from '../fixtures/fixture-commands.ts';
import type { FixtureCommand } from '../fixtures/fixture-commands.ts';
import { createV1Server } from '../fixtures/servers/v1-server.mjs';
import { createV2Server } from '../fixtures/servers/v2-server.mjs';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { transportContract } from './transport-contract.ts';
import type { ContractServer } from './transport-contract.ts';

transportContract('stdio to a server of SDK v1', async () => stdio(v1Stdio()));
transportContract('stdio without the short way for calls', async () => ({
  ...stdio(v1Stdio()),
  hub: { directCalls: false },
}));
transportContract('stdio to a server of SDK v2', async () => stdio(v2Stdio()));
transportContract('Streamable HTTP to a server of SDK v1', async () => http('v1-server.mjs'));
transportContract('Streamable HTTP to a server of SDK v2', async () => http('v2-server.mjs'));
transportContract('HTTP with SSE to a server of SDK v1', async () => sse());
transportContract('in process: a server object of SDK v1', async () => plain(McpServer.sdk('inner', createV1Server())));
transportContract('in process: a server object of SDK v2', async () => plain(McpServer.sdk('inner', createV2Server())));
transportContract('in process: a maker of servers', async () => plain(McpServer.sdk('inner', () => createV2Server())));
transportContract('in process: connect and close by hand', async () => plain(McpServer.sdk('inner', byHand())));

function stdio({ command, args }: FixtureCommand): ContractServer {
  return plain(McpServer.stdio('outer', command, args));
}

async function http(fixture: 'v1-server.mjs' | 'v2-server.mjs'): Promise<ContractServer> {
  const process = await startHttpServer(fixture);
  return { server: McpServer.http('remote', process.url), [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

async function sse(): Promise<ContractServer> {
  const process = await startHttpServer('v1-server.mjs', { mode: 'sse' });
  return { server: McpServer.sse('remote', process.url), [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

function plain(server: McpServer): ContractServer {
  return { server, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** No server object of an SDK, only the two functions that are asked for. */
function byHand(): InProcessServer {
  const inner = createV2Server();
  return {
    connect: (channel: MessageChannelEnd) => inner.connect(channel),
    close: () => inner.close(),
  };
}
