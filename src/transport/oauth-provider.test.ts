import { describe, expect, test } from 'vitest';
import { isLoopback, OAuthProvider } from './oauth-provider.ts';
import type { ProviderOptions } from './oauth-provider.ts';
import { createMemoryTokenStore } from './token-store.ts';

const REDIRECT_URL = 'http://127.0.0.1:8976/callback';
const OLD = { issuer: 'https://old.example' };
const NEW = { issuer: 'https://new.example' };
const tokens = (name: string): { access_token: string; token_type: string; refresh_token: string } => ({
  access_token: `access-${name}`,
  refresh_token: `refresh-${name}`,
  token_type: 'Bearer',
});

describe('OAuthProvider', () => {
  test('keeps tokens and clients by issuer, and shows none to another', async () => {
    const provider = open();
    await provider.saveClientInformation({ client_id: 'old' }, OLD);
    await provider.saveTokens(tokens('old'), OLD);
    expect([await provider.tokens(NEW), await provider.clientInformation(NEW)]).toEqual([undefined, undefined]);
    await provider.saveTokens(tokens('new'), NEW);
    expect([await provider.tokens(OLD), await provider.tokens(NEW), await provider.tokens()]).toEqual([
      tokens('old'),
      tokens('new'),
      tokens('new'),
    ]);
    expect(await provider.clientInformation(OLD)).toEqual({ client_id: 'old' });
  });

  test('hides every token that it sees', async () => {
    const hidden: string[] = [];
    const store = createMemoryTokenStore();
    await open({ store, hide: (secret) => hidden.push(secret) }).saveTokens({ ...tokens('a'), id_token: 'id-a' }, OLD);
    expect(hidden).toEqual(['access-a', 'refresh-a', 'id-a']);
    hidden.length = 0;
    await open({ store, hide: (secret) => hidden.push(secret) }).tokens();
    expect(hidden).toEqual(['access-a', 'refresh-a', 'id-a']);
  });

  test('hides what proves who it is: the secret of a client, the verifier and the code of a login', async () => {
    const hidden: string[] = [];
    const store = createMemoryTokenStore();
    const provider = open({ store, hide: (secret) => hidden.push(secret) });
    await provider.saveClientInformation({ client_id: 'a', client_secret: 'secret-of-a' }, OLD);
    provider.saveCodeVerifier('verifier-a');
    provider.requireOwnState(new URLSearchParams({ state: provider.state(), code: 'code-a' }));
    expect(hidden).toEqual(['secret-of-a', 'verifier-a', 'code-a']);
    hidden.length = 0;
    await open({ store, hide: (secret) => hidden.push(secret) }).clientInformation(OLD);
    expect(hidden).toEqual(['secret-of-a']);
  });

  test('a client that was declared is used instead of a registered one', async () => {
    const provider = open({ settings: { clientId: 'declared', clientSecret: 'secret' } });
    await provider.saveClientInformation({ client_id: 'registered' }, OLD);
    expect(await provider.clientInformation(OLD)).toEqual({ client_id: 'declared', client_secret: 'secret' });
  });

  test.each([
    ['tokens', [undefined, { client_id: 'old' }]],
    ['client', [tokens('old'), undefined]],
    ['all', [undefined, undefined]],
    ['verifier', [tokens('old'), { client_id: 'old' }]],
    ['discovery', [tokens('old'), { client_id: 'old' }]],
  ] as const)('forgets %s when told to', async (scope, left) => {
    const provider = open();
    await provider.saveClientInformation({ client_id: 'old' }, OLD);
    await provider.saveTokens(tokens('old'), OLD);
    await provider.invalidateCredentials(scope);
    expect([await provider.tokens(OLD), await provider.clientInformation(OLD)]).toEqual(left);
  });

  test.each(['https://login.example/authorize?x=1', 'http://127.0.0.1:9000/a', 'http://[::1]/a', 'http://localhost/a'])(
    'sends the user to %s',
    (url) => {
      const provider = open();
      provider.redirectToAuthorization(new URL(url));
      expect(provider.pendingUrl?.href).toBe(url);
      provider.endLogin();
      expect(provider.pendingUrl).toBeUndefined();
    },
  );

  test.each([
    'http://login.example/a',
    'file:///etc/passwd',
    'http://a$(calc.exe)b/',
    'ftp://login.example/a',
    'data:x',
  ])('does not send the user to %s', (url) => {
    const provider = open();
    expect(() => provider.redirectToAuthorization(new URL(url))).toThrow(/address/);
    expect(provider.pendingUrl).toBeUndefined();
  });

  test('takes only the answer to the login that it began', () => {
    const provider = open();
    const state = provider.state();
    expect(() => provider.requireOwnState(new URLSearchParams({ state }))).not.toThrow();
    for (const callback of [{}, { state: '' }, { state: 'other' }, { state: `${state}x` }] as Record<string, string>[])
      expect(() => provider.requireOwnState(new URLSearchParams(callback))).toThrow('another login');
    const next = provider.state();
    expect(next).not.toBe(state);
    expect(() => provider.requireOwnState(new URLSearchParams({ state }))).toThrow('another login');
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
  ['', false],
])('knows whether %j is this machine', (hostname, isLocal) => {
  expect(isLoopback(hostname)).toBe(isLocal);
});

function open(options: Partial<ProviderOptions> = {}): OAuthProvider {
  return new OAuthProvider({
    key: 'a',
    store: createMemoryTokenStore(),
    redirectUrl: REDIRECT_URL,
    settings: {},
    hide: () => undefined,
    ...options,
  });
}
