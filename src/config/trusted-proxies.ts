import { isIP } from 'node:net';
import type { VariableReader } from './variable-reader.js';

/** Names that Express has for ranges of addresses. */
const RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const MAXIMUM_HOPS = 32;

/** Whose word is taken for where a request comes from: that of so many proxies, or of these addresses. */
export type TrustedProxies = number | readonly string[];

/** Reads TRUST_PROXY. @returns undefined when there is no proxy: whoever connects is the client */
export function trustedProxiesOf(reader: VariableReader): TrustedProxies | undefined {
  const text = reader.optionalText('TRUST_PROXY');
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return reader.integer('TRUST_PROXY', 1, 1, MAXIMUM_HOPS);
  const addresses = reader.list('TRUST_PROXY', []);
  for (const address of addresses.filter((candidate) => !isAddress(candidate))) {
    reader.fault('TRUST_PROXY', `must be a number of proxies or a list of addresses, which ${address} is not`);
  }
  return addresses;
}

/** An address, a range of addresses in CIDR notation, or the name of a range. */
function isAddress(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0) return RANGES.has(text);
  if (bits === undefined) return true;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
