import { expect, test } from 'vitest';
import { parseServer } from '../../src/config/parse-server.ts';
import { Hub, McpServer, textOf } from '../../src/index.ts';
import { startFaultyHttp } from '../fixtures/servers/faulty-http.mjs';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { TcpFaultProxy } from '../fixtures/tcp-fault-proxy.ts';
import { until } from '../fixtures/until.ts';

const headers = { 'X-Tenant': 'north', Authorization: 'Bearer of-the-tenant' };

test('[S1.sse] [S3.headers] an SSE server gets its url and headers, and answers', async () => {
  await using old = await startHttpServer('v1-server.mjs', { mode: 'sse' });
  await using hub = new Hub({ servers: [McpServer.sse('old', `${old.url}?tenant=1`, { headers })] });
  expect(await hub.connect('old')).toMatchObject({ status: 'connected', transport: 'sse', era: 'legacy' });
  expect(await headersSeen(hub, 'old')).toMatchObject({ 'x-tenant': 'north', authorization: 'Bearer of-the-tenant' });
});

test('[S3.transports] sse, http and claudeai-proxy are parsed from JSON, and connect', async () => {
  await using old = await startHttpServer('v1-server.mjs', { mode: 'sse' });
  await using remote = await startHttpServer('v2-server.mjs', { mode: 'dual-http' });
  const declared = [
    parseServer('old', { type: 'sse', url: old.url, headers }),
    parseServer('remote', { type: 'http', url: remote.url, headers }),
    parseServer('proxy', { type: 'claudeai-proxy', url: remote.url, id: 'connector-1' }),
  ];
  await using hub = new Hub({ servers: declared });
  const statuses = await hub.connectAll();
  expect(statuses.map(({ name, status, transport }) => [name, status, transport])).toEqual([
    ['old', 'connected', 'sse'],
    ['remote', 'connected', 'http'],
    ['proxy', 'connected', 'claudeai-proxy'],
  ]);
  expect(hub.serverStatus('proxy').config).toEqual({ type: 'claudeai-proxy', url: remote.url, id: 'connector-1' });
  for (const { name } of statuses) {
    expect(await hub.callTool(name, 'echo', { arguments: { message: name } })).toMatchObject({
      content: [{ text: name }],
    });
  }
});

test('[S3.headers] custom headers are on every request, whatever its method', async () => {
  await using server = await startFaultyHttp('healthy');
  await using hub = new Hub({ servers: [McpServer.http('remote', server.url, { headers })] });
  await hub.connect('remote');
  await hub.callTool('remote', 'echo', { arguments: { message: 'x' } });
  await hub.disconnect('remote');
  expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
  const without = server.requests.filter(
    ({ headers: sent }) => sent['x-tenant'] !== 'north' || sent.authorization !== 'Bearer of-the-tenant',
  );
  expect(without).toEqual([]);
});

test('a server that asks for an hour at the first question is not asked again', async () => {
  await using server = await startFaultyHttp('429', { on: '*', times: Infinity, retryAfter: 3600 });
  await using hub = new Hub({ servers: [McpServer.http('busy', server.url)], random: () => 0 });
  await expect(hub.connect('busy')).rejects.toMatchObject({
    code: 'OVERLOADED',
    // A server may say more of it.
    message: expect.stringMatching(/^busy: HTTP 429; the server asks to wait 3600 s/) as string,
  });
  expect(server.requests.map(({ rpc }) => rpc)).toEqual(['server/discover']);
});

test('a call that has less time in all than a server asks for is told so at once', async () => {
  await using server = await startFaultyHttp('429', { retryAfter: 2 });
  await using hub = new Hub({ servers: [McpServer.http('busy', server.url)] });
  await expect(hub.callTool('busy', 'echo', { timeoutMs: 30_000, maxTotalMs: 1_500 })).rejects.toMatchObject({
    code: 'OVERLOADED',
  });
  expect(server.requests.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
});

test('a token of one’s own is never replaced, and its refusal needs a login', async () => {
  await using server = await startFaultyHttp('401', { token: 'another' });
  await using hub = new Hub({
    servers: [McpServer.http('remote', server.url, { headers })],
    random: () => 0,
    authorization: { onRedirect: () => Promise.reject(new Error('nobody is to be asked')) },
  });
  await expect(hub.connect('remote')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  expect(hub.serverStatus('remote')).toMatchObject({ status: 'needs-auth' });
  expect(server.requests.map(({ rpc }) => rpc)).toEqual(['server/discover']);
});

test('an SSE server whose stream drops is connected again, and the call in flight is ambiguous', async () => {
  await using old = await startHttpServer('v1-server.mjs', { mode: 'sse' });
  await using proxy = await TcpFaultProxy.open(old.port);
  await using hub = new Hub({
    servers: [McpServer.sse('old', `http://127.0.0.1:${proxy.port}/sse`)],
    random: () => 0,
  });
  await hub.connect('old');
  const connected: string[] = [];
  hub.on('server-connected', ({ server }) => connected.push(server));
  const call = hub.callTool('old', 'slow', {
    arguments: { ms: 60_000, steps: 1000 },
    onProgress: () => proxy.resetAll(),
  });
  await expect(call).rejects.toMatchObject({ code: 'CALL_AMBIGUOUS', serverName: 'old' });
  await until(() => connected.length === 1, { describe: 'it is connected again' });
  expect(await hub.callTool('old', 'echo', { arguments: { message: 'x' } })).toMatchObject({ isError: false });
});

test.each([401, 403, 500, 503])('the older transport is not tried on HTTP %i (SDK defect 16)', async (status) => {
  await using server = await startFaultyHttp('500-once', { on: '*', status, times: 99 });
  await using hub = new Hub({ servers: [McpServer.http('remote', server.url, { headers })], random: () => 0 });
  await expect(hub.connect('remote')).rejects.toMatchObject({ serverName: 'remote' });
  expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([]);
});

test('a request that the server answers with another one’s id fails at once', async () => {
  await using server = await startFaultyHttp('wrong-id-body');
  await using hub = new Hub({ servers: [McpServer.http('remote', server.url, { headers })] });
  await expect(hub.callTool('remote', 'echo', { arguments: { message: 'x' } })).rejects.toMatchObject({
    code: 'CALL_AMBIGUOUS',
    message: expect.stringContaining('does not answer the request'),
  });
});

async function headersSeen(hub: Hub, server: string): Promise<unknown> {
  return JSON.parse(textOf((await hub.callTool(server, 'headers')).content));
}
