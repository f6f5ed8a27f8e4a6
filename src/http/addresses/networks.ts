import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Reads a network.
 *
 * @param text an address, or a range of addresses in CIDR notation
 * @returns whether an address is in it; one of IPv6 that is mapped to IPv4 counts as that
 */
export function networkOf(text: string): (address: string) => boolean {
  const [network, bits] = text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.parse(text), isIP(text) === 4 ? 32 : 128];
  return (address) => {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.process(address);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  };
}
