import { expect, test, vi } from 'vitest';
import { createFileTokenStore, Hub, McpServer } from '../../src/index.ts';
import type { HubOptions } from '../../src/index.ts';
import { ProtectedServer } from '../fixtures/protected-server.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';

const REDIRECT_URL = 'http://127.0.0.1:8976/callback';

test('a server that asks for a login is logged in to, with everything that makes the login safe', async () => {
  await using server = await ProtectedServer.open();
  await using hub = hubFor(server);
  expect(await hub.connect('files')).toMatchObject({ status: 'connected' });
  expect(await callEcho(hub)).toMatchObject({ isError: false });
  const { registrations, logins, tokenRequests, issuer } = server.logins;
  expect(registrations).toMatchObject([
    { application_type: 'native', redirect_uris: [REDIRECT_URL], token_endpoint_auth_method: 'none' },
  ]);
  expect(logins).toMatchObject([
    {
      code_challenge_method: 'S256',
      redirect_uri: REDIRECT_URL,
      resource: server.url,
      response_type: 'code',
      scope: 'files:read',
      state: expect.stringMatching(/.{16}/),
    },
  ]);
  expect(tokenRequests).toMatchObject([{ grant_type: 'authorization_code', resource: server.url }]);
  expect(issuer).toBe(server.origin);
});

test('[S3.statuses] a server that nobody can log in to needs a login, and says so', async () => {
  await using server = await ProtectedServer.open();
  await using hub = new Hub({ servers: [McpServer.http('files', server.url)], random: () => 0 });
  await expect(hub.connect('files')).rejects.toMatchObject({ code: 'AUTH_REQUIRED', serverName: 'files' });
  const { status, phase, error } = hub.serverStatus('files');
  expect({ status, phase }).toEqual({ status: 'needs-auth', phase: 'needs-auth' });
  expect(error).toMatch(/login/);
  await expect(callEcho(hub)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(server.requests.filter(({ path }) => path === '/mcp')).toHaveLength(1);
});

test('[S3.statuses] a server that no longer lets us in needs a login, once it has said so', async () => {
  await using server = await ProtectedServer.open({ refreshStatus: 400 });
  let visits = 0;
  await using hub = hubFor(server, {
    onRedirect: (url) => {
      visits += 1;
      return visits > 1 ? Promise.reject(new Error('nobody is there')) : server.visit(url);
    },
  });
  await hub.connect('files');
  server.logins.expireTokens();
  await expect(callEcho(hub)).rejects.toMatchObject({ code: 'AUTH_REQUIRED', serverName: 'files' });
  expect(visits).toBe(2);
  expect(hub.serverStatus('files')).toMatchObject({
    status: 'needs-auth',
    error: 'the login failed: nobody is there',
  });
  await expect(callEcho(hub)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('several calls that are refused lead to one login', async () => {
  await using server = await ProtectedServer.open({ refreshStatus: 400 });
  await using hub = hubFor(server);
  await hub.connect('files');
  server.logins.expireTokens();
  const answers = await Promise.all(Array.from({ length: 4 }, () => callEcho(hub)));
  expect(answers).toMatchObject(Array.from({ length: 4 }, () => ({ isError: false })));
  expect(server.logins.logins).toHaveLength(2);
});

test('a login is kept for the next hub, by the issuer that gave it', async () => {
  await using server = await ProtectedServer.open();
  await using folder = await openTemporaryFolder();
  const store = createFileTokenStore(folder.file('tokens.json'));
  for (let start = 0; start < 2; start += 1) {
    await using hub = hubFor(server, { store });
    await hub.connect('files');
  }
  expect([server.logins.logins.length, server.countOf('authorization_code')]).toEqual([1, 1]);
  const [line = ''] = folder.lines('tokens.json');
  const kept = Object.values(JSON.parse(line) as Record<string, unknown>);
  expect(kept).toMatchObject([
    { current: server.origin, byIssuer: { [server.origin]: { tokens: { access_token: expect.any(String) } } } },
  ]);
});

test('tokens of one principal are not used for another', async () => {
  await using server = await ProtectedServer.open();
  await using hub = hubFor(server);
  await hub.connect('files');
  await using other = hub.view({ servers: [McpServer.http('files', server.url)], principal: 'somebody else' });
  await other.connect('files');
  expect(server.logins.logins).toHaveLength(2);
});

test('five calls that find their token expired redeem one refresh token (SDK defect 6)', async () => {
  await using server = await ProtectedServer.open();
  await using hub = hubFor(server);
  await hub.connect('files');
  server.logins.expireTokens();
  const answers = await Promise.all(Array.from({ length: 5 }, () => callEcho(hub)));
  expect(answers).toMatchObject(Array.from({ length: 5 }, () => ({ isError: false })));
  expect([server.countOf('refresh_token'), server.logins.logins.length]).toEqual([1, 1]);
  server.logins.expireTokens();
  expect(await callEcho(hub)).toMatchObject({ isError: false });
  expect([server.countOf('refresh_token'), server.logins.logins.length]).toEqual([2, 1]);
});

test('a refresh token that is no longer good leads to a new login, and nothing is written to the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const logger = new RecordingLogger();
  await using server = await ProtectedServer.open({ refreshStatus: 400 });
  await using hub = new Hub({
    servers: [McpServer.http('files', server.url)],
    random: () => 0,
    authorization: { onRedirect: server.visit },
    logger,
  });
  await hub.connect('files');
  server.logins.expireTokens();
  expect(await callEcho(hub)).toMatchObject({ isError: false });
  expect(server.logins.logins).toHaveLength(2);
  expect(warn).not.toHaveBeenCalled();
  expect(logger.messages('info')).toContainEqual(expect.stringMatching(/^the SDK says: .*invalid_grant/));
});

test('a tool that needs more is logged in for once, with the old and the new scope', async () => {
  await using server = await ProtectedServer.open({ scopes: { add: 'files:write' } });
  await using hub = hubFor(server);
  await hub.connect('files');
  expect(await hub.callTool('files', 'add', { arguments: { a: 1, b: 2 } })).toMatchObject({ isError: false });
  expect(server.logins.logins.map(({ scope }) => scope)).toEqual(['files:read', 'files:read files:write']);
  expect(await callEcho(hub)).toMatchObject({ isError: false });
  expect(server.logins.logins).toHaveLength(2);
});

test('a scope that is not granted is asked for once for each call, and the server stays connected', async () => {
  await using server = await ProtectedServer.open({ scopes: { add: 'files:write' }, grantedScope: 'files:read' });
  await using hub = hubFor(server);
  await hub.connect('files');
  await expect(hub.callTool('files', 'add', { arguments: { a: 1, b: 2 } })).rejects.toMatchObject({
    code: 'AUTH_REQUIRED',
    serverName: 'files',
  });
  expect(server.logins.logins).toHaveLength(2);
  expect(hub.serverStatus('files').status).toBe('connected');
  expect(await callEcho(hub)).toMatchObject({ isError: false });
});

function hubFor(server: ProtectedServer, authorization: HubOptions['authorization'] = {}): Hub {
  return new Hub({
    servers: [McpServer.http('files', server.url)],
    random: () => 0,
    authorization: { onRedirect: server.visit, ...authorization },
  });
}

function callEcho(hub: Hub): Promise<unknown> {
  return hub.callTool('files', 'echo', { arguments: { message: 'in' } });
}
