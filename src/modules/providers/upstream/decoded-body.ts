import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { leavingErrorsToReader } from '../../../http/outgoing/outgoing-answer.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';

/** Gives out what has arrived so far, so that an event of a stream is not held back. */
const GZIP = { flush: constants.Z_SYNC_FLUSH };

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(GZIP)],
  ['x-gzip', () => createGunzip(GZIP)],
  ['deflate', () => createInflate(GZIP)],
  ['br', () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
]);

/**
 * The plain bytes of an answer. Requests ask for no compression, but some providers, and proxies before them, compress
 * anyway. Nothing is decompressed before it is read, so that a small answer cannot become a large one in memory.
 *
 * @param body destroyed together with what is returned, in both directions
 * @param encoding the value of Content-Encoding
 * @throws ProviderError for an encoding that is not known
 */
export function decodedBody(body: Readable, encoding: string | readonly string[] | undefined): Readable {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer is compressed in a way that is not known.');
  }
  // The error reaches the reader of the decoder, which the pipeline destroys with it.
  return leavingErrorsToReader(pipeline(body, decoder, () => undefined));
}
