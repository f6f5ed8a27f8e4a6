import { isIP } from 'node:net';
import type { AddressForm } from './destination-settings.js';
import { isPublicAddress } from './public-address.js';

/** What a setting says of where data is sent to: what is wrong with that, or the host. */
export type ReadAddress = { readonly fault: string } | { readonly fault?: never; readonly host: string };

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

/** What parsers of URLs read differently, or not at all. */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/** Names that mean something in a private network, if anything (RFC 6761, 6762 and 8375, and ICANN's of 2024). */
const PRIVATE_DOMAINS = ['localhost', 'local', 'internal', 'home.arpa', 'invalid'];

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
  const separator = authority.lastIndexOf('@');
  // It would be shown in every answer.
  if (separator !== -1 && form !== 'dsn') return { fault: 'must not contain a user name or password' };
  const url = new URL(address);
  const written = authority.slice(separator + 1).toLowerCase();
  if (written !== url.host && written !== `${url.host}:${isSecure ? 443 : 80}`) {
    return { fault: 'must have a host in its usual spelling' };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (allowPrivate) return { host };
  const fault = isIP(host) === 0 ? faultOfName(host) : faultOfIp(host);
  return fault === undefined ? { host } : { fault };
}

function faultOfIp(address: string): string | undefined {
  return isPublicAddress(address) ? undefined : 'must not be a private address';
}

function faultOfName(name: string): string | undefined {
  if (name.endsWith('.')) return 'must have a host that does not end with a dot';
  if (PRIVATE_DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`)) || !name.includes('.')) {
    return 'must not be a name of a private network';
  }
  return undefined;
}
