import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Shorter bodies hardly become smaller. */
const MINIMUM_BYTES = 1_024;

const compress = promisify(gzip);

/**
 * Compresses a body in the thread pool, from 1 KiB on. The same bytes always become the same bytes.
 *
 * @returns the body as it is sent, and the header that says so
 */
export async function compressed(
  body: Buffer,
): Promise<{ readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }> {
  if (body.length < MINIMUM_BYTES) return { body, headers: {} };
  return { body: await compress(body), headers: { 'content-encoding': 'gzip' } };
}
