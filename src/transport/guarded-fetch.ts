import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { FetchLike } from '@modelcontextprotocol/client';
import { isLoopback, UnsafeLoginError } from './oauth-provider.ts';

// This machine, private networks, carriers' and test networks, what reaches many, and ways from IPv6 to any of these.
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b::/96',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

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
  const blocked = createBlockList();
  if (addresses.some((address) => blocked.check(address, familyOf(address))))
    throw refused(target, 'it is not a public address');
}

function createBlockList(): BlockList {
  const blocked = new BlockList();
  for (const network of NOT_PUBLIC) {
    const [address = '', bits = ''] = network.split('/');
    blocked.addSubnet(address, Number(bits), familyOf(address));
  }
  return blocked;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function refused(target: URL, why: string): UnsafeLoginError {
  return new UnsafeLoginError(`${target.host} was named by the server and is not visited: ${why}`);
}
