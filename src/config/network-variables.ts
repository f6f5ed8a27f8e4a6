import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { VariableReader } from './variable-reader.js';
import { parsesAsUrl } from './parses-as-url.js';

/** Which private addresses may be called: none, all, or those of networks, which are addresses or in CIDR notation. */
export type PrivateNetworks = boolean | readonly string[];

/** Reads a variable that allows private addresses: true, false, or the networks that are allowed. */
export function privateNetworksOf(reader: VariableReader, name: string): PrivateNetworks {
  const text = reader.text(name, 'false');
  if (text === 'true' || text === 'false') return text === 'true';
  const networks = reader.list(name, []);
  for (const network of networks.filter((candidate) => !isNetwork(candidate))) {
    reader.issue(name, `must be true, false, or a list of networks such as 10.0.0.0/8, which ${network} is not`);
  }
  return networks.length > 0 && networks;
}

/** Express's names of address ranges. */
const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const MAXIMUM_HOPS = 32;

/** The proxies whose X-Forwarded-For is trusted: their number, or their addresses. */
export type TrustedProxies = number | readonly string[];

/** Reads TRUST_PROXY. @returns undefined when there is no proxy: the peer of a connection is the client */
export function trustedProxiesOf(reader: VariableReader): TrustedProxies | undefined {
  const text = reader.optionalText('TRUST_PROXY');
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return reader.integer('TRUST_PROXY', 1, 1, MAXIMUM_HOPS);
  const addresses = reader.list('TRUST_PROXY', []);
  for (const address of addresses.filter((candidate) => !isAddressOrRange(candidate))) {
    reader.issue('TRUST_PROXY', `must be a number of proxies or a list of addresses, which ${address} is not`);
  }
  return addresses;
}

function isAddressOrRange(text: string): boolean {
  return RANGES.has(text) || isNetwork(text);
}

/** An address, or a range of addresses in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  return isIP(address) !== 0 && (text === address || ipaddr.isValidCIDR(text));
}

/**
 * Reads CORS_ORIGINS: the origins (RFC 6454) whose pages may call every operation, exactly as browsers send them. Patterns
 * are not supported, because one that allows too many origins would go unnoticed.
 */
export function corsOriginsOf(reader: VariableReader): ReadonlySet<string> {
  const origins = reader.list('CORS_ORIGINS', []);
  for (const origin of origins.filter((candidate) => !isOrigin(candidate))) {
    reader.issue(
      'CORS_ORIGINS',
      `must be a list of origins such as https://app.example.com, without a path, which ${origin} is not`,
    );
  }
  return new Set(origins);
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && parsesAsUrl(text) && new URL(text).origin === text;
}

/** An address with a port: 192.0.2.1:53 or [2001:db8::1]:53. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;

/** Reads DNS_SERVERS. @returns an empty list for the name servers of the system */
export function dnsServersOf(reader: VariableReader): readonly string[] {
  const servers = reader.list('DNS_SERVERS', []);
  for (const server of servers.filter((candidate) => !isServer(candidate))) {
    reader.issue('DNS_SERVERS', `must be addresses such as 192.0.2.1 or 192.0.2.1:53, which ${server} is not`);
  }
  return servers;
}

function isServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, inBrackets, plain = '', port] = WITH_PORT.exec(text) ?? [];
  const isAddress = inBrackets === undefined ? isIP(plain) === 4 : isIP(inBrackets) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

/** Reads PUBLIC_URL, where people reach the deployment. @returns it without the slash at its end; undefined when it is not set */
export function publicUrlOf(reader: VariableReader): string | undefined {
  const url = reader.url('PUBLIC_URL', ['http:', 'https:']);
  if (url === undefined || !parsesAsUrl(url)) return undefined;
  const { username, password, search, hash, href } = new URL(url);
  if (`${username}${password}${search}${hash}` !== '' || /[?#]$/.test(url)) {
    reader.issue('PUBLIC_URL', 'must have no credentials, query and fragment');
  }
  return href.replace(/\/+$/, '');
}
