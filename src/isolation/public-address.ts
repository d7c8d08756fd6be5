import { BlockList, isIP } from 'node:net';

// This machine, private networks, carriers' and test networks, what reaches many, and ways from IPv6 to any of these.
const NOT_PUBLIC: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/32',
  '100::/8',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '4000::/2',
  '8000::/1',
];
const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** Whether an IP address is one that anybody in the world may be sent to. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isIn(NOT_PUBLIC, address);
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && isIn(LOOPBACK, address);
}

function isIn(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/');
    list.addSubnet(start, Number(bits), familyOf(start));
  }
  // An IPv4 address inside an IPv6 one is looked up as what it is.
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
