import { isIP } from 'node:net';
import { parsesAsUrl } from '../../config/parses-as-url.js';
import type { AllowedAddresses } from './allowed-addresses.js';
import { isMetadataName } from './metadata-services.js';

/** The host of a URL, with an address of IPv6 as connections and look-ups have it: without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
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
 */
export function parseAddress(text: string, form: AddressForm, allowed: AllowedAddresses): ParsedAddress {
  const address = form === 'host' && !PARTS.test(text) ? `https://${text}` : text;
  const [, scheme = '', authority = ''] = PARTS.exec(address) ?? [];
  if (AMBIGUOUS.test(address) || authority === '' || !parsesAsUrl(address)) return { issue: NOT_A_URL };
  const isSecure = scheme.toLowerCase() === 'https';
  if (!isSecure && !(allowed.hasPrivate && scheme.toLowerCase() === 'http')) {
    return { issue: allowed.hasPrivate ? 'must be an https or http URL' : 'must be an https URL' };
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
  const host = hostOf(url);
  const issue = isIP(host) === 0 ? issueOfName(host, allowed.hasPrivate) : issueOfIp(host, allowed);
  return issue === undefined ? { host } : { issue };
}

function issueOfIp(address: string, allowed: AllowedAddresses): string | undefined {
  if (allowed.has(address)) return undefined;
  return allowed.hasPrivate ? 'must not be a private address that is not allowed' : 'must not be a private address';
}

function issueOfName(name: string, allowPrivate: boolean): string | undefined {
  if (name.endsWith('.') && !allowPrivate) return 'must have a host that does not end with a dot';
  const labels = name.replace(/\.$/, '').split('.');
  if (name.length > MAXIMUM_NAME_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return 'must have a host whose name is one of the domain name system';
  }
  const isPrivate = labels.length === 1 || PRIVATE_DOMAINS.has(labels.at(-1)!) || `.${name}`.endsWith(PRIVATE_SUFFIX);
  if (isPrivate && !allowPrivate) return 'must not be a name of a private network';
  return isMetadataName(name) ? 'must not be a name of a metadata service' : undefined;
}
