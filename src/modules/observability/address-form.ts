import { isIP } from 'node:net';
import type { AddressForm } from './destination-settings.js';
import { isPublicAddress } from './public-address.js';

/** What a setting says of where data is sent to: what is wrong with that, or the host. */
export type ReadAddress = { readonly fault: string } | { readonly fault?: never; readonly host: string };

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

/** What parsers of URLs read differently, or not at all. */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/**
 * Names that mean something in a private network, if anything: reserved ones (RFC 2606, 6761, 6762 and 8375, and ICANN's
 * of 2024), those that RFC 6762 (appendix G) knows to be in private use, and those of clusters.
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

const LONGEST_NAME = 253;

const NOT_A_URL = 'must be a URL such as https://example.com';

/**
 * Reads an address, and judges whatever can be judged without looking its host up. The host must be written as it is meant:
 * in another spelling, such as 0x7f000001 for 127.0.0.1, whoever sends to it may read something else than is read here.
 *
 * @param allowPrivate whether private addresses and http are allowed
 */
export function readAddress(text: string, form: AddressForm, allowPrivate: boolean): ReadAddress {
  const address = form === 'host' && !PARTS.test(text) ? `https://${text}` : text;
  const [, scheme = '', authority = ''] = PARTS.exec(address) ?? [];
  if (AMBIGUOUS.test(address) || authority === '' || !URL.canParse(address)) return { fault: NOT_A_URL };
  const isSecure = scheme.toLowerCase() === 'https';
  if (!isSecure && !(allowPrivate && scheme.toLowerCase() === 'http')) {
    return { fault: allowPrivate ? 'must be an https or http URL' : 'must be an https URL' };
  }
  // It is sent nowhere, and some parsers take what stands behind it for the host.
  if (address.includes('#')) return { fault: 'must not have a fragment' };
  const separator = authority.lastIndexOf('@');
  // It would be shown in every answer.
  if (separator !== -1 && form !== 'dsn') return { fault: 'must not contain a user name or password' };
  const url = new URL(address);
  const written = authority.slice(separator + 1).toLowerCase();
  if (written !== url.host && written !== `${url.host}:${isSecure ? 443 : 80}`) {
    return { fault: 'must have a host in its usual spelling' };
  }
  if (url.port === '0') return { fault: 'must not have port 0' };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const fault = isIP(host) === 0 ? faultOfName(host, allowPrivate) : faultOfIp(host, allowPrivate);
  return fault === undefined ? { host } : { fault };
}

function faultOfIp(address: string, allowPrivate: boolean): string | undefined {
  return allowPrivate || isPublicAddress(address) ? undefined : 'must not be a private address';
}

function faultOfName(name: string, allowPrivate: boolean): string | undefined {
  if (name.endsWith('.') && !allowPrivate) return 'must have a host that does not end with a dot';
  const labels = name.replace(/\.$/, '').split('.');
  if (name.length > LONGEST_NAME || !labels.every((label) => LABEL.test(label))) {
    return 'must have a host whose name is one of the domain name system';
  }
  const isPrivate = labels.length === 1 || PRIVATE_DOMAINS.has(labels.at(-1)!) || `.${name}`.endsWith(PRIVATE_SUFFIX);
  return isPrivate && !allowPrivate ? 'must not be a name of a private network' : undefined;
}
