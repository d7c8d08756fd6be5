import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { isPublicAddress } from '../isolation/public-address.ts';
import { isLoopback, UnsafeLoginError } from './oauth-provider.ts';

/** A fetch that visits, besides the server itself, only addresses that a stranger may name: https and public. */
export function guardedFetch(inner: FetchLike, serverUrl: string): FetchLike {
  const own = new URL(serverUrl);
  return async (url, init) => {
    const target = new URL(url);
    if (target.origin !== own.origin) await requireHarmless(target, own);
    return inner(url, init);
  };
}

/** A server names the pages of its login; it must not make us visit what it could not visit itself. */
async function requireHarmless(target: URL, own: URL): Promise<void> {
  if (isLoopback(own.hostname) && isLoopback(target.hostname)) return;
  if (target.protocol !== 'https:') throw refused(target, 'it is not https');
  const host = target.hostname.replaceAll(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  if (!addresses.every(isPublicAddress)) throw refused(target, 'it is not a public address');
}

function refused(target: URL, why: string): UnsafeLoginError {
  return new UnsafeLoginError(`${target.host} was named by the server and is not visited: ${why}`);
}
