import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parsesAsUrl } from '../../config/parses-as-url.js';

/** The metadata service of Azure, which serves credentials of a machine at a public address that is routed internally. */
const AZURE_METADATA = '168.63.129.16';

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
  return address.range() === 'unicast' && address.toString() !== AZURE_METADATA;
}

/** The forms of an address: a URL, a host with or without a scheme, or a DSN that contains its key. */
export type AddressForm = 'url' | 'host' | 'dsn';

/** The host of an address, or the message of its issue. */
export type ParsedAddress = { readonly issue: string } | { readonly issue?: never; readonly host: string };

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

/** Characters that URL parsers read differently, or not at all. */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/**
 * Top-level names of private networks: reserved ones (RFC 2606, 6761, 6762 and 8375, and ICANN's of 2024), those in private
 * use according to RFC 6762 (appendix G), and those of clusters.
 */
const PRIVATE_DOMAINS = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'invalid',
  'test',
]);

const PRIVATE_SUFFIX = '.home.arpa';

/** The parts of a name between its dots, as host names have them (RFC 1123, section 2.1), and underscores. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const MAXIMUM_NAME_LENGTH = 253;

const NOT_A_URL = 'must be a URL such as https://example.com';

/**
 * Parses an address, and checks everything that needs no look-up of its host (docs/interface/destinations.md). The host must
 * be in its canonical spelling: another one, such as 0x7f000001 for 127.0.0.1, may mean another host to another parser.
 *
 * @param allowPrivate whether private addresses and http are allowed
 */
export function parseAddress(text: string, form: AddressForm, allowPrivate: boolean): ParsedAddress {
  const address = form === 'host' && !PARTS.test(text) ? `https://${text}` : text;
  const [, scheme = '', authority = ''] = PARTS.exec(address) ?? [];
  if (AMBIGUOUS.test(address) || authority === '' || !parsesAsUrl(address)) return { issue: NOT_A_URL };
  const isSecure = scheme.toLowerCase() === 'https';
  if (!isSecure && !(allowPrivate && scheme.toLowerCase() === 'http')) {
    return { issue: allowPrivate ? 'must be an https or http URL' : 'must be an https URL' };
  }
  // A fragment is never sent, and some parsers take the text after it for the host.
  if (address.includes('#')) return { issue: 'must not have a fragment' };
  const separator = authority.lastIndexOf('@');
  // Responses show addresses, so the password would not stay secret.
  if (separator !== -1 && form !== 'dsn') return { issue: 'must not contain a user name or password' };
  const url = new URL(address);
  const written = authority.slice(separator + 1).toLowerCase();
  if (written !== url.host && written !== `${url.host}:${isSecure ? 443 : 80}`) {
    return { issue: 'must have a host in its usual spelling' };
  }
  if (url.port === '0') return { issue: 'must not have port 0' };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const issue = isIP(host) === 0 ? issueOfName(host, allowPrivate) : issueOfIp(host, allowPrivate);
  return issue === undefined ? { host } : { issue };
}

function issueOfIp(address: string, allowPrivate: boolean): string | undefined {
  return allowPrivate || isPublicAddress(address) ? undefined : 'must not be a private address';
}

function issueOfName(name: string, allowPrivate: boolean): string | undefined {
  if (name.endsWith('.') && !allowPrivate) return 'must have a host that does not end with a dot';
  const labels = name.replace(/\.$/, '').split('.');
  if (name.length > MAXIMUM_NAME_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return 'must have a host whose name is one of the domain name system';
  }
  const isPrivate = labels.length === 1 || PRIVATE_DOMAINS.has(labels.at(-1)!) || `.${name}`.endsWith(PRIVATE_SUFFIX);
  return isPrivate && !allowPrivate ? 'must not be a name of a private network' : undefined;
}
