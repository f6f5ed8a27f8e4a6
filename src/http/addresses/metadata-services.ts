import ipaddr from 'ipaddr.js';
import { networkOf } from './networks.js';

/**
 * Where machines in clouds have their credentials from: link-local addresses, which lead no further than the machine's own network, and
 * the others that are in use (Azure; Alibaba; Oracle; Amazon and Google by IPv6).
 */
const SERVICES = [
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
].map(networkOf);

/** Names of theirs, which need not resolve where they are named. */
const NAMES: ReadonlySet<string> = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
]);

/** The first bytes of IPv6 addresses that stand for an IPv4 address, and where that begins (RFC 4291, 6052, 8215 and 3056). */
const EMBEDDINGS = Object.entries({
  '::/96': 12,
  '::ffff:0:0/96': 12,
  '::ffff:0:0:0/96': 12,
  '64:ff9b::/96': 12,
  '64:ff9b:1::/48': 12,
  '2002::/16': 2,
}).map(([prefix, start]) => ({ prefix: ipaddr.IPv6.parseCIDR(prefix), start }));

/** Whether an address is that of a metadata service, in whatever form. @param text an IPv4 or IPv6 address */
export function isMetadataAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIn(address)?.toString() : undefined;
  return SERVICES.some((isIn) => isIn(text) || (embedded !== undefined && isIn(embedded)));
}

/** Whether a name is that of a metadata service. @param name in lower case */
export function isMetadataName(name: string): boolean {
  return NAMES.has(name.replace(/\.$/, ''));
}

function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const start = EMBEDDINGS.find(({ prefix }) => address.match(prefix))?.start;
  return start === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(start, start + 4));
}
