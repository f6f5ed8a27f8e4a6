import type { Readable } from 'node:stream';
import { ProviderError } from '../provider-error.js';
import type { WaitLimit } from './wait-limit.js';

/** The bytes of an answer, as they came. */
export interface WholeAnswer {
  readonly pieces: Buffer[];
  /** Of all of them, in bytes. */
  readonly length: number;
}

/**
 * Reads a body to its end.
 *
 * @param body plain bytes
 * @param limit that of the exchange
 * @param bounds `largest` in bytes; `gap`, how long to wait for each piece, in milliseconds
 * @throws ProviderError if there are more bytes
 */
export async function wholeAnswer(
  body: Readable,
  limit: WaitLimit,
  { largest, gap }: { readonly largest: number; readonly gap: number },
): Promise<WholeAnswer> {
  const pieces: Buffer[] = [];
  let length = 0;
  limit.start(gap, 'no more of its answer');
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > largest) throw new ProviderError('invalid', `The provider’s answer has more than ${largest} bytes.`);
    pieces.push(piece);
    limit.start(gap, 'no more of its answer');
  }
  limit.stop();
  return { pieces, length };
}
