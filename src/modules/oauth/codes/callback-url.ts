import { isIPv4 } from 'node:net';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { parsesAsUrl } from '../../../config/parses-as-url.js';

/** The longest callback URL, in characters. */
export const MAXIMUM_CALLBACK_URL_LENGTH = 2048;

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/** Labels of letters, digits, hyphens and underscores (RFC 1123, section 2.1), and so no wildcard. */
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

const ESCAPE = /%[0-9a-f]{2}/gi;

/** Characters that mean the same whether they are percent-encoded or not (RFC 3986, section 2.3). */
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * What is wrong with a callback URL. It is https anywhere, or http on a loopback host only (RFC 8252, section 7.3),
 * because a code must not travel in the clear. Its host must be in its usual form: parsers read others, such as
 * `https:host` or 0x7f000001 for 127.0.0.1, differently, so a code could go to another host.
 *
 * @param path where the URL is in the request
 */
export function callbackUrlIssues(path: string, text: unknown): IssueWithReason[] {
  if (typeof text !== 'string' || !parsesAsUrl(text)) return [];
  const url = new URL(text);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname));
  if (!secure) return [{ path, message: 'must be https, or http on a loopback host' }];
  if (url.username !== '' || url.password !== '') {
    return [{ path, message: 'must not contain a user name or password' }];
  }
  if (text.includes('#')) return [{ path, message: 'must not contain a fragment' }];
  const authority = AUTHORITY.exec(text)?.[1]?.toLowerCase();
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  if (authority !== url.host && authority !== `${url.host}:${defaultPort}`) {
    return [{ path, message: 'must have a host in its usual form after "//"' }];
  }
  const isHost = url.hostname.startsWith('[') || isIPv4(url.hostname) || HOST_NAME.test(url.hostname);
  return isHost ? [] : [{ path, message: 'must have a host of letters, digits and hyphens, without a trailing dot' }];
}

/**
 * Normalizes a callback URL (RFC 3986, section 6.2): scheme and host in lower case, no default port, no dot segments,
 * and no needless percent-encoding.
 */
export function normalizedCallbackUrl(text: string): string {
  const url = new URL(text);
  return `${url.origin}${withoutNeedlessEscapes(`${url.pathname}${url.search}`)}`;
}

/** The port of a callback URL on a loopback address, as its normalized form has it. */
const PORT_OF_LOOPBACK_ADDRESS = /^(https?:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d+)?(?=\/)/;

/**
 * A callback URL on a loopback address without its port: such a program gets its port from the operating system when it starts, so the port
 * tells nothing (RFC 8252, section 7.3). A name such as `localhost` is none of these addresses: it may lead elsewhere (section 8.3).
 *
 * @param normalized of {@link normalizedCallbackUrl}
 * @returns null for a URL on any other host
 */
export function withoutLoopbackPort(normalized: string): string | null {
  return PORT_OF_LOOPBACK_ADDRESS.test(normalized) ? normalized.replace(PORT_OF_LOOPBACK_ADDRESS, '$1') : null;
}

function withoutNeedlessEscapes(text: string): string {
  return text.replace(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}
