import { generateKeyPairSync } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Hub, McpServer } from '../../src/index.ts';
import { ProtectedServer } from '../fixtures/protected-server.ts';

const scopes = ['files:read'];

test('a client with a secret of its own gets in without a person, or a word on the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await using server = await ProtectedServer.open();
  server.logins.clients.set('robot', { secret: 'robots-own-secret' });
  const oauth = { clientId: 'robot', clientSecret: '${ROBOT_SECRET}', grant: 'client_credentials', scopes } as const;
  await using hub = new Hub({
    servers: [McpServer.http('files', server.url, { oauth })],
    secrets: [{ name: 'test', get: async () => 'robots-own-secret' }],
  });
  expect(await hub.connect('files')).toMatchObject({ status: 'connected' });
  expect(server.logins.tokenRequests).toMatchObject([{ grant_type: 'client_credentials', resource: server.url }]);
  expect(warn).not.toHaveBeenCalled();
});

test('a client with a wrong secret needs a login', async () => {
  await using server = await ProtectedServer.open();
  server.logins.clients.set('robot', { secret: 'robots-own-secret' });
  const oauth = { clientId: 'robot', clientSecret: 'guessed-secret', grant: 'client_credentials', scopes } as const;
  await using hub = new Hub({ servers: [McpServer.http('files', server.url, { oauth })], random: () => 0 });
  const error = await hub.connect('files').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ serverName: 'files', code: 'AUTH_REQUIRED' });
  expect(JSON.stringify(hub.status())).not.toContain('guessed-secret');
});

test('a client with a private key gets in by its signature', async () => {
  await using server = await ProtectedServer.open();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  server.logins.clients.set('robot', { publicKey });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const oauth = { clientId: 'robot', privateKey: pem, grant: 'client_credentials', scopes } as const;
  await using hub = new Hub({ servers: [McpServer.http('files', server.url, { oauth })] });
  expect(await hub.connect('files')).toMatchObject({ status: 'connected' });
  expect(server.logins.tokenRequests).toMatchObject([{ client_assertion: expect.any(String) }]);
  expect(JSON.stringify(hub.status())).not.toContain(pem.split('\n')[1]);
});

test('a credential is not sent to another issuer than its own', async () => {
  await using server = await ProtectedServer.open();
  server.logins.clients.set('robot', { secret: 'robots-own-secret' });
  const issuer = 'https://login.example';
  const oauth = {
    clientId: 'robot',
    clientSecret: 'robots-own-secret',
    grant: 'client_credentials',
    scopes,
    issuer,
  } as const;
  await using hub = new Hub({ servers: [McpServer.http('files', server.url, { oauth })], random: () => 0 });
  await expect(hub.connect('files')).rejects.toMatchObject({ serverName: 'files' });
  expect(server.logins.tokenRequests).toEqual([]);
});
