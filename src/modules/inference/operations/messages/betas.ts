import type { IncomingHttpHeaders } from 'node:http';

const NAMES = /^[A-Za-z0-9._-]+( *, *[A-Za-z0-9._-]+)*$/;

/** The longest list that is handed on, in characters. */
const MAXIMUM_LENGTH = 1_024;

/**
 * What a request asks providers of the Messages form for that is not general yet: the header that their clients send, or the
 * gateway's own name of it. A value that is not a list of names is left out.
 */
export function betasOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-anthropic-beta'] ?? headers['anthropic-beta'];
  return typeof value === 'string' && value.length <= MAXIMUM_LENGTH && NAMES.test(value) ? value : undefined;
}
