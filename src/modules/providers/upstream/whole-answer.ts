import type { Readable } from 'node:stream';
import { ProviderError } from '../provider-error.js';
import type { WaitLimit } from './wait-limit.js';

/** How long a body may take in all, in milliseconds: some providers send spaces while a model thinks, which may be many minutes. */
const MAXIMUM_BODY_MS = 30 * 60_000;

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
 * @throws ProviderError if there are more bytes, or if they take longer than half an hour, or than `gap` if that is longer
 */
export async function wholeAnswer(
  body: Readable,
  limit: WaitLimit,
  { largest, gap }: { readonly largest: number; readonly gap: number },
): Promise<WholeAnswer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const longest = Math.max(MAXIMUM_BODY_MS, gap);
  const endsAt = performance.now() + longest;
  limit.start(gap, 'no more of its answer');
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > largest) throw new ProviderError('invalid', `The provider’s answer has more than ${largest} bytes.`);
    if (performance.now() > endsAt) {
      throw new ProviderError('timeout', `The provider did not send the whole of its answer within ${longest} ms.`);
    }
    pieces.push(piece);
    limit.start(gap, 'no more of its answer');
  }
  limit.stop();
  return { pieces, length };
}
