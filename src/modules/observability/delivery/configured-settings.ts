import { isObject } from '../../../http/validation/constraints.js';
import type { DestinationConfig } from '../config-mask.js';
import type { ReceiverAnswer, ReceiverRequest, ReceiverTransport } from './destination-adapter.js';

/** Headers that say how a request is sent, and so are not a configuration's to set. */
const PROTECTED = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
]);

/** A setting of a configuration; empty where it has none. */
export function settingOf(config: DestinationConfig, name: string): string {
  const value = Object.hasOwn(config, name) ? config[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/**
 * The addresses that an address and a path may stand for, the likeliest first. What the address ends in already of the path is not repeated,
 * because vendors print addresses with and without it; where that is only its beginning, the whole path may be meant to follow all the same,
 * behind a proxy for example.
 *
 * @param path with its first slash
 */
export function addressesWithPath(address: string, path: string): readonly string[] {
  const base = address.replace(/\/+$/, '');
  if (base.endsWith(path)) return [base];
  const segments = path.slice(1).split('/');
  for (let count = segments.length - 1; count > 0; count -= 1) {
    const beginning = `/${segments.slice(0, count).join('/')}`;
    if (base.endsWith(beginning)) return [`${base}${path.slice(beginning.length)}`, `${base}${path}`];
  }
  return [`${base}${path}`];
}

/** Sends a request to the first of some addresses at which something is found. */
export async function sentToFirstFound(
  transport: ReceiverTransport,
  [url, ...others]: readonly string[],
  request: Omit<ReceiverRequest, 'url'>,
): Promise<ReceiverAnswer> {
  const answer = await transport.send({ ...request, url: url! });
  return answer.status === 404 && others.length > 0 ? sentToFirstFound(transport, others, request) : answer;
}

/**
 * Adds the headers of a configuration to those of a request. They replace others of the same name, such as `Authorization`, but not those
 * that say how the request is sent.
 *
 * @param headers by names in lower case
 * @param kept further headers that the configuration may not replace, in lower case
 */
export function withConfiguredHeaders(
  headers: Readonly<Record<string, string>>,
  config: DestinationConfig,
  kept: readonly string[] = [],
): Record<string, string> {
  const configured = isObject(config['headers']) ? config['headers'] : {};
  const added = Object.entries(configured).flatMap(([name, value]): [string, string][] => {
    const lowerCase = name.toLowerCase();
    const isAllowed = isHeader(lowerCase, value) && !PROTECTED.has(lowerCase) && !kept.includes(lowerCase);
    return isAllowed ? [[lowerCase, value as string]] : [];
  });
  const own = Object.entries(headers).map(([name, value]) => [name, headerValue(value)]);
  return Object.fromEntries([...own, ...added]) as Record<string, string>;
}

/** A setting as the value of a header, which has neither control characters nor, but as the bytes of UTF-8, any beyond Latin-1. */
function headerValue(text: string): string {
  const value = text.replace(/\p{Cc}/gu, '');
  return /^[\x20-\x7e]*$/.test(value) ? value : Buffer.from(value).toString('latin1');
}

/** A name as in RFC 9110, 5.1, and a value that cannot end the header. */
function isHeader(name: string, value: unknown): boolean {
  return (
    typeof value === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  );
}

/** The credentials of Basic authentication (RFC 7617). */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
