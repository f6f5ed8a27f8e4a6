import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isMetadataAddress } from './metadata-services.js';

/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is meant. The local-use prefix of RFC 8215 is private. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** The IPv6 addresses that are assigned to public networks; the registry of special ranges does not include this. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to a server on the internet, and not to a private or otherwise special network (RFC 6890 and
 * the registries of IANA; docs/interface/destinations.md).
 *
 * @param text an IPv4 or IPv6 address in its usual form
 */
export function isPublicAddress(text: string): boolean {
  // A zone id refers to an interface of this machine.
  if (isIP(text) === 0 || text.includes('%')) return false;
  // Converts IPv4-mapped addresses to IPv4.
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  // Azure serves credentials of a machine at a public address that is routed internally.
  return address.range() === 'unicast' && !isMetadataAddress(address.toString());
}
