import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { forSeveralRequests } from '../../concurrency/request-scope.js';

/** How much of an answer that is given up is read for its connection's sake, in bytes and milliseconds. */
const MAXIMUM_REST = 131_072;
const MAXIMUM_REST_MS = 1_000;

/** The answer of a server outside, when its head has come. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Has to be read to its end, or given up with {@link drop}. */
  readonly body: Readable;
}

/**
 * Sends a request to a server outside. Every request leaves here, so that no answer is without a listener for its errors: an error that
 * comes when nothing reads any more would end the process.
 *
 * @throws the errors of undici, and the reason of the request's signal
 */
export async function sendThrough(dispatcher: Dispatcher, request: Dispatcher.RequestOptions): Promise<OutgoingAnswer> {
  // A connection that is made for a request is used by others after it.
  const { statusCode, headers, body } = await forSeveralRequests(() => dispatcher.request(request));
  return { status: statusCode, headers, body: leavingErrorsToReader(body) };
}

/**
 * Gives up the rest of an answer. What is short is read in the background, so that the connection can be used again; for what is longer,
 * or takes longer than a second, the connection is closed.
 */
export function drop(body: Readable): void {
  if (body.destroyed) return;
  let left = MAXIMUM_REST;
  const tooLong = setTimeout(() => body.destroy(), MAXIMUM_REST_MS).unref();
  body
    .once('close', () => clearTimeout(tooLong))
    .on('data', (piece: Uint8Array) => {
      left -= piece.length;
      if (left < 0) body.destroy();
    });
}

/** As much of an answer as was to be read. */
export interface Beginning {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/**
 * Reads an answer up to a bound, beyond which the rest is not read.
 *
 * @param largest in bytes
 * @throws the error with which the answer broke off
 */
export async function beginningOf(body: AsyncIterable<Uint8Array>, largest: number): Promise<Beginning> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    // Leaving the iteration closes the connection.
    if (length > largest) break;
  }
  return { bytes: Buffer.concat(pieces, Math.min(length, largest)), isWhole: length <= largest };
}

/** A body whose reader gets its error; one that comes without a reader, or after it, means nothing and must not end the process. */
export function leavingErrorsToReader<Body extends Readable>(body: Body): Body {
  return body.on('error', () => undefined);
}
