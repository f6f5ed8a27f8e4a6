import type { Readable } from 'node:stream';
import type { AnswerMemory } from '../../../http/input/request-memory.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { WaitDeadline } from './wait-deadline.js';

/** How long a body may take in all, in milliseconds: some providers send spaces while a model thinks, which may be many minutes. */
const MAXIMUM_BODY_MS = 30 * 60_000;

/** The bytes of an answer, as they came. */
export interface WholeAnswer {
  readonly pieces: Buffer[];
  /** Of all of them, in bytes. */
  readonly length: number;
}

/** How much of a body is read, and how long. */
interface AnswerBounds {
  /** Bytes. */
  readonly largest: number;
  /** How long each piece is waited for, in milliseconds. */
  readonly gap: number;
  /** How long all of it may take, in milliseconds: by default half an hour, or `gap` if that is longer. */
  readonly longest?: number;
  /** Holds the bytes until its owner releases them. */
  readonly memory: Pick<AnswerMemory, 'tryHold' | 'hold'>;
  /** Is told of each piece with more than spaces, with its size in bytes. */
  readonly came?: (bytes: number) => void;
}

/**
 * Reads a body to its end.
 *
 * @param body plain bytes
 * @param limit that of the exchange
 * @throws ProviderError for what exceeds the bounds, and AnswerMemoryExhausted
 */
export async function wholeAnswer(
  body: Readable,
  limit: WaitDeadline,
  { largest, gap, longest = Math.max(MAXIMUM_BODY_MS, gap), memory, came }: AnswerBounds,
): Promise<WholeAnswer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const endsAt = performance.now() + longest;
  limit.start(gap, 'no more of its answer');
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (came !== undefined && !isBlank(piece)) came(piece.length);
    if (length > largest) throw new ProviderError('invalid', `The provider’s answer has more than ${largest} bytes.`);
    if (performance.now() > endsAt) {
      throw new ProviderError('timeout', `The provider did not send the whole of its answer within ${longest} ms.`);
    }
    pieces.push(piece);
    if (!memory.tryHold(piece.length)) {
      // The provider is not waited for meanwhile.
      limit.stop();
      await memory.hold(piece.length);
    }
    limit.start(gap, 'no more of its answer');
  }
  limit.stop();
  return { pieces, length };
}

/** The largest piece that is looked through, in bytes: servers keep a connection alive with few spaces. */
const LARGEST_BLANK = 256;

function isBlank(piece: Buffer): boolean {
  return piece.length <= LARGEST_BLANK && piece.toString('latin1').trim() === '';
}
