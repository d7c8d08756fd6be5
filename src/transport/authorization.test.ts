import * as sdk from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { Authorizer } from './authorization.ts';
import type { Authorization, AuthorizationOptions, AuthorizationRequest } from './authorization.ts';
import { OAuthProvider } from './oauth-provider.ts';

const PAGE = new URL('https://login.example/authorize');

describe('Authorizer', () => {
  test('without a way to ask a person there is no login', () => {
    expect(open({}).login).toBeUndefined();
  });

  test('takes the user to the page that the server named, and passes on what came back', async () => {
    const seen: unknown[] = [];
    const authorization = open({
      onRedirect: async (url, { server }) => {
        seen.push([url.href, server]);
        return new URLSearchParams({ state: providerOf(authorization).state(), code: 'c' });
      },
    });
    expect(await logIn(authorization, seen)).toBe(false);
    providerOf(authorization).redirectToAuthorization(PAGE);
    expect(authorization.isLoginPending?.()).toBe(true);
    expect(await logIn(authorization, seen)).toBe(true);
    expect(seen).toEqual([[PAGE.href, 'files'], 'c']);
    expect(authorization.isLoginPending?.()).toBe(false);
  });

  test('asks the user once, however many requests are refused', async () => {
    let visits = 0;
    const authorization = open({
      onRedirect: async () => {
        visits += 1;
        return new URLSearchParams({ state: providerOf(authorization).state() });
      },
    });
    providerOf(authorization).redirectToAuthorization(PAGE);
    expect(await Promise.all([logIn(authorization), logIn(authorization)])).toEqual([true, true]);
    // It was refused before the login, and comes only now to ask for one.
    expect(await logIn(authorization)).toBe(true);
    expect(visits).toBe(1);
  });

  test('a login that fails is over, and the next one begins anew', async () => {
    const authorization = open({ onRedirect: async () => new URLSearchParams({ state: 'of another' }) });
    providerOf(authorization).redirectToAuthorization(PAGE);
    await expect(logIn(authorization)).rejects.toThrow('another login');
    expect([authorization.isLoginPending?.(), await logIn(authorization)]).toEqual([false, false]);
  });

  test('tokens of a client that needs no person are hidden too', async () => {
    const hidden: string[] = [];
    const { provider, login } = open(
      {},
      {
        settings: {
          clientId: 'robot',
          clientSecret: 'x',
          grant: 'client_credentials',
          issuer: 'https://login.example',
        },
        hide: (secret) => hidden.push(secret),
      },
    );
    await provider.saveTokens({ access_token: 'access', token_type: 'Bearer' });
    expect([hidden, (await provider.tokens())?.access_token, login]).toEqual([['access'], 'access', undefined]);
  });
});

function open(options: AuthorizationOptions, request: Partial<AuthorizationRequest> = {}): Authorization {
  const url = 'https://mcp.example/mcp';
  const asked = { server: 'files', url, principal: 'local', settings: {}, hide: () => undefined, ...request };
  return new Authorizer(options).open(asked, sdk);
}

function providerOf({ provider }: Authorization): OAuthProvider {
  if (provider instanceof OAuthProvider) return provider;
  throw new Error('another provider was made');
}

async function logIn({ login }: Authorization, finished: unknown[] = []): Promise<boolean | undefined> {
  return login?.(async (callback) => void finished.push(callback.get('code')), new AbortController().signal);
}
