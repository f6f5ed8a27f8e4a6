import { exceededBound, type JsonBounds } from '../../../http/input/json-bounds.js';
import type { FairQueueOptions } from '../../../concurrency/fair-queue.js';
import { TooManyContentScans } from '../content.errors.js';
import { InspectorFailure } from './remote-inspection.js';

/** The largest answer, in bytes: an entity or a label takes some 100, and a piece has no more than a few thousand. */
const MAXIMUM_ANSWER_BYTES = 4_194_304;

/** What an answer may hold: more takes many times as long, and as much memory, as its text. An entity has some 20 values. */
const ANSWER_BOUNDS: JsonBounds = { depth: 16, values: 200_000 };

/** How organizations take turns at a server that inspects texts. */
export const REMOTE_QUEUE: FairQueueOptions = {
  overload: TooManyContentScans,
  concurrency: 16,
  concurrencyPerOrganization: 8,
  waitingPerOrganization: 256,
  retryAfterSeconds: 1,
};

/** A request to a server that inspects texts. */
export interface RemoteRequest {
  readonly url: string;
  readonly body: object;
  /** What the server wants to be shown, if anything. */
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to a server that inspects texts.
 *
 * @returns its answer, of any form
 * @throws InspectorFailure when it does not answer with JSON within bounds, or in time
 * @throws the reason of the signal
 */
export async function askServer({ url, body, key, timeoutMs, signal }: RemoteRequest): Promise<unknown> {
  const timeLimit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      // Texts of requests are only sent to the address that the operator has set.
      redirect: 'error',
      signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
    });
    const answer = (await bodyOf(response)).toString();
    if (exceededBound(answer, ANSWER_BOUNDS) !== undefined) throw new InspectorFailure('the answer holds too much');
    return JSON.parse(answer) as unknown;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InspectorFailure) throw error;
    throw new InspectorFailure('the server did not answer', { cause: error });
  }
}

async function bodyOf(response: Response): Promise<Buffer> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new InspectorFailure(`the server answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAXIMUM_ANSWER_BYTES) throw new InspectorFailure('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
