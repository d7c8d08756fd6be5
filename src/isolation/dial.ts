import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { EgressTarget } from './host-rule.ts';
import type { NetworkPolicy } from './network-policy.ts';
import { isPublicAddress } from './public-address.ts';

/** Opens the connection that a server asked for and may have; throws a `ForbiddenAddressError` where it leads inside. */
export type Dial = (target: EgressTarget) => Promise<Socket>;

/** A name that is allowed leads to an address that nobody meant. */
export class ForbiddenAddressError extends Error {}

const DIAL_LIMIT_MS = 30_000;

/** Connects to public addresses, and to others only if the policy names them; what was checked is what is dialled. */
export function dialWithin(
  policy: NetworkPolicy,
  resolve: (host: string) => Promise<readonly string[]> = addressesOf,
): Dial {
  return async (target) => {
    const addresses = await resolve(target.host);
    const fitting = addresses.filter((address) => isPublicAddress(address) || policy.names(address, target.port));
    if (fitting.length === 0)
      throw new ForbiddenAddressError(`${target.host} is ${addresses.join(', ')}, which is not a public address`);
    return open(target, fitting);
  };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function open({ host, port }: EgressTarget, addresses: readonly string[]): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const checked: LookupFunction = (_, options, callback) => {
    const [first = { address: '', family: 0 }] = found;
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: checked, noDelay: true, keepAlive: true });
    socket.setTimeout(DIAL_LIMIT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
