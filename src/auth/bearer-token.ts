import type { IncomingMessage } from 'node:http';
import { UnauthorizedError } from '../http/errors/domain-error.js';
import { countOfHeader } from '../http/header-count.js';

/** RFC 6750, section 2.1: the scheme in any case, one space, the token of token68 characters. */
const BEARER = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * The credential of a request.
 *
 * @returns undefined when there is no Authorization header at all
 * @throws UnauthorizedError when there are several, or the one is not a bearer token
 */
export function bearerTokenOf(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const token = BEARER.exec(header)?.[1];
  // Node keeps the first of several Authorization headers; which one the sender means is not for us to guess.
  if (token === undefined || countOfHeader(request.rawHeaders, 'authorization') > 1) {
    throw new UnauthorizedError('malformed_credential');
  }
  return token;
}
