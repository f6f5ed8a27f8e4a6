import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type IssueWithReason, joinPath } from '../../http/errors/issue.js';
import { valueOr } from '../../http/request-values.js';
import { INVALID_ADDRESS_RANGE } from './keys.errors.js';

/** How many ranges a key may be bound to. */
export const MAXIMUM_ALLOWED_ADDRESSES = 50;

/** The longest range in its longest spelling. */
export const MAXIMUM_RANGE_LENGTH = 64;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: those that have the first bits of one. */
type Range = readonly [network: Address, bits: number];

/** How many bits of an IPv4-mapped address (RFC 4291, section 2.5.5.2) stand before those of the IPv4 address. */
const MAPPED_BITS = 96;

/**
 * A range of client addresses in its one spelling (RFC 4632, RFC 5952), or what is wrong with it. An address by itself is the range of
 * only this one, and an IPv4-mapped one that of IPv4, as which clients are seen.
 *
 * @param text an IPv4 or IPv6 address, or a range in CIDR notation, as a caller wrote it
 */
export function parseAllowedRange(text: string): { readonly range: string } | { readonly issue: string } {
  const [address = '', prefix, ...rest] = text.split('/');
  const isNumber = prefix === undefined || /^(?:0|[1-9]\d{0,2})$/.test(prefix);
  // isIP knows no octal and shortened forms, which programs read differently; a zone is one of another machine.
  if (isIP(address) === 0 || address.includes('%') || !isNumber || rest.length > 0) {
    return { issue: 'must be an IP address or a range such as 203.0.113.0/24 or 2001:db8::/32' };
  }
  const written = ipaddr.parse(address);
  const width = widthOf(written);
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return { issue: `must have a prefix of at most ${width} bits` };
  const network = networkOf(written, bits);
  if (network.toString() !== written.toString()) {
    return { issue: `has bits beyond its prefix: its range is ${network.toString()}/${bits}` };
  }
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped
    ? { range: `${network.toIPv4Address().toString()}/${bits - MAPPED_BITS}` }
    : { range: `${network.toString()}/${bits}` };
}

/**
 * Whether a client may use a key that is bound to some ranges.
 *
 * @param ranges as {@link parseAllowedRange} spells them; null for a key that is not bound
 * @param client its address; null where it is not known, from which a bound key is never accepted
 */
export function isAllowedAddress(ranges: readonly string[] | null, client: string | null): boolean {
  if (ranges === null) return true;
  if (client === null || !ipaddr.isValid(client)) return false;
  // Sockets that take both kinds give IPv4 addresses in their IPv4-mapped form.
  const address = ipaddr.process(client);
  return ranges.some((range) => isWithin([address, widthOf(address)], rangeOf(range)));
}

/**
 * Whether all addresses of some ranges are among those of others.
 *
 * @param ranges null for all addresses
 * @param others null for all addresses
 */
export function areWithin(ranges: readonly string[] | null, others: readonly string[] | null): boolean {
  if (others === null) return true;
  if (ranges === null) return false;
  return ranges.every((range) => others.some((other) => isWithin(rangeOf(range), rangeOf(other))));
}

/** The issues of ranges that are none, in the field `allowed_addresses` of a body. */
export function allowedAddressesIssues(body: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const { allowed_addresses: ranges } = body;
  if (!Array.isArray(ranges) || ranges.length > MAXIMUM_ALLOWED_ADDRESSES) return [];
  return ranges.flatMap((text: unknown, index) => {
    if (typeof text !== 'string' || text.length > MAXIMUM_RANGE_LENGTH) return [];
    const parsed = parseAllowedRange(text);
    return 'issue' in parsed ? [INVALID_ADDRESS_RANGE.at(joinPath('allowed_addresses', index), parsed.issue)] : [];
  });
}

/** The ranges of a body that has no issues, as they are stored: each once. */
export function storedRanges(texts: readonly string[]): string[] {
  const parsed = texts.map((text) => parseAllowedRange(text));
  return [...new Set(parsed.flatMap((one) => ('range' in one ? [one.range] : [])))];
}

/** The ranges that a key has after a change. @param ranges as a body says them; undefined to keep those that it has */
export function changedRanges(
  { allowedAddresses }: { readonly allowedAddresses: string[] | null },
  ranges: readonly string[] | null | undefined,
): string[] | null {
  return ranges == null ? valueOr(ranges, allowedAddresses) : storedRanges(ranges);
}

function isWithin([address, addressBits]: Range, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && addressBits >= bits && address.match(network, bits);
}

function rangeOf(text: string): Range {
  return ipaddr.parseCIDR(text);
}

function widthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function networkOf(address: Address, bits: number): Address {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff << Math.max(0, 8 - Math.max(0, bits - index * 8))));
  return ipaddr.fromByteArray(bytes.map((byte) => byte & 0xff));
}
