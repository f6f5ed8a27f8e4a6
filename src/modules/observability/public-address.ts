import { BlockList, isIP, isIPv6 } from 'node:net';

// From the registries of special-purpose addresses (IANA; RFC 6890), and what stands in no registry but is nobody's server
// on the internet.

const SPECIAL_IPV4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Where clouds keep the metadata of machines, credentials among them.
  '169.254.0.0/16',
  '168.63.129.16/32',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** What of IPv6 is given to anybody at all. Loopback, unique-local, link-local and multicast addresses are elsewhere. */
const GLOBAL_IPV6 = listOf('ipv6', ['2000::/3']);

const SPECIAL_IPV6 = listOf('ipv6', [
  // Teredo and others that stand for something else.
  '2001::/23',
  '2001:db8::/32',
  // 6to4, which has an IPv4 address inside.
  '2002::/16',
  '3fff::/20',
]);

/** Addresses whose last 32 bits are the IPv4 address that is meant: IPv4-mapped, and NAT64 (RFC 6052). */
const EMBEDDING_IPV6 = listOf('ipv6', ['::ffff:0:0/96', '64:ff9b::/96']);

/** Whether an address belongs to a server on the internet, rather than to a private or otherwise special network. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !SPECIAL_IPV4.check(address, 'ipv4');
  // A zone names an interface of this very machine.
  if (address.includes('%')) return false;
  if (EMBEDDING_IPV6.check(address, 'ipv6')) return isPublicAddress(embeddedIn(address));
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
}

function embeddedIn(address: string): string {
  // The parser of URLs writes every form of an address alike, in groups of hexadecimal digits.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => (group === '' ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
