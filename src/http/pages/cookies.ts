import type { CookieOptions } from 'express';
import type { GatehouseRequest } from '../request.js';

/**
 * The value of a cookie.
 *
 * @returns undefined where there is none, or several of the name: a neighbouring host can set further ones where the name has no prefix
 */
export function cookieOf({ headers }: GatehouseRequest, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The full name of a cookie: over TLS it has the prefix `__Host-`, with which browsers take it only from this very host, over TLS and for
 * all paths (RFC 6265bis, section 4.1.3.2). They refuse that over plain HTTP, where the name has no prefix.
 *
 * @param publicUrl where people reach the deployment
 */
export function cookieNameOf(name: string, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

/** How a cookie is kept: out of reach of scripts, and not sent with requests that pages of other sites make, except for links to here. */
export function cookieOptions(publicUrl: string): CookieOptions {
  return { httpOnly: true, path: '/', sameSite: 'lax', secure: isSecure(publicUrl) };
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
