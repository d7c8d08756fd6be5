import { expect, test } from 'vitest';
import { Caller, Hub, McpServer } from '../../src/index.ts';
import type { LoginFaults } from '../fixtures/authorization-server.ts';
import { ProtectedServer } from '../fixtures/protected-server.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';

const METADATA = '/.well-known/oauth-authorization-server';

test.each<[string, LoginFaults, RegExp]>([
  ['the authorization server does not say that it knows PKCE', { codeChallengeMethods: undefined }, /PKCE/],
  ['the authorization server knows only plain PKCE', { codeChallengeMethods: ['plain'] }, /S256/],
  ['the login page is a file', { authorizationEndpoint: 'file:///etc/passwd' }, /file:/],
  ['the login page is a script', { authorizationEndpoint: 'javascript:alert(1)' }, /./],
  ['the login page is plain http elsewhere', { authorizationEndpoint: 'http://login.example/authorize' }, /https/],
  ['the host of the login page is a command', { authorizationEndpoint: 'http://a$(calc.exe)b/' }, /./],
  ['the metadata tells another issuer', { issuer: 'https://login.example' }, /issuer/i],
])('nobody is sent to log in where %s', async (_what, faults, reason) => {
  await using server = await ProtectedServer.open(faults);
  let visits = 0;
  await using hub = hubFor(server, async (url) => {
    visits += 1;
    return server.visit(url);
  });
  await expect(hub.connect('files')).rejects.toMatchObject({
    serverName: 'files',
    message: expect.stringMatching(reason),
  });
  expect([visits, server.logins.tokenRequests]).toEqual([0, []]);
  expect(hub.serverStatus('files').status).toBe('needs-auth');
});

test.each<[string, LoginFaults]>([
  ['belongs to another login', { state: 'of-another-login' }],
  ['does not say to which login it belongs', { state: '' }],
  ['comes from another issuer', { callbackIssuer: 'https://login.example' }],
])('a code is not redeemed when the answer of the login page %s', async (_what, faults) => {
  await using server = await ProtectedServer.open(faults);
  await using hub = hubFor(server);
  await expect(hub.connect('files')).rejects.toMatchObject({ serverName: 'files' });
  expect([server.logins.logins.length, server.logins.tokenRequests]).toEqual([1, []]);
  expect(hub.serverStatus('files').status).toBe('needs-auth');
});

test('does not visit an authorization server inside the network', async () => {
  await using server = await ProtectedServer.open({ authorizationServer: 'https://192.168.0.1' });
  await using hub = hubFor(server);
  await expect(hub.connect('files')).rejects.toMatchObject({
    code: 'AUTH_REQUIRED',
    serverName: 'files',
    message: expect.stringContaining('192.168.0.1 was named by the server and is not visited'),
  });
  expect(hub.serverStatus('files').status).toBe('needs-auth');
});

test('[S3.headers] headers that are for the server are not sent to whoever logs us in', async () => {
  await using logins = await ProtectedServer.open();
  await using server = await ProtectedServer.open({ authorizationServer: logins.origin });
  const declared = McpServer.http('files', server.url, { headers: { 'X-Api-Key': 'for-the-server-alone' } });
  await using hub = new Hub({ servers: [declared], random: () => 0, authorization: { onRedirect: logins.visit } });
  // Its tokens are for another server, so it does not get in; all that matters is who was told what.
  await expect(hub.connect('files')).rejects.toMatchObject({ serverName: 'files' });
  expect(logins.requests.map(({ path }) => path)).toEqual(expect.arrayContaining([METADATA, '/register', '/token']));
  expect(logins.requests.filter(({ headers }) => headers['x-api-key'] !== undefined)).toEqual([]);
  expect(server.requests.filter(({ headers }) => headers['x-api-key'] === undefined)).toEqual([]);
});

test('tokens are seen in nothing that we write', async () => {
  await using server = await ProtectedServer.open();
  const logger = new RecordingLogger();
  await using hub = new Hub({
    servers: [McpServer.http('files', server.url)],
    logger,
    authorization: { onRedirect: server.visit },
  });
  await hub.connect('files');
  const caller = new Caller({ hub });
  const events: unknown[] = [];
  caller.session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
  const { content } = await caller.call({ server: 'files', tool: 'headers' });
  const token = /access-[\w-]+/.exec(JSON.stringify(content))?.[0] ?? 'no token was sent';
  expect(server.logins.scopeOf(token, server.url)).toBe('files:read');
  const written = [logger.text, JSON.stringify(hub.status()), JSON.stringify(events)];
  expect(written.filter((text) => text.includes(token))).toEqual([]);
  expect(JSON.stringify(events)).toContain('Bearer ***');
});

function hubFor(server: ProtectedServer, onRedirect: (url: URL) => Promise<URLSearchParams> = server.visit): Hub {
  return new Hub({
    servers: [McpServer.http('files', server.url)],
    random: () => 0,
    authorization: { onRedirect },
  });
}
