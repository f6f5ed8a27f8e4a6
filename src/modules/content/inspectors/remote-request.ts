import { exceededBound, type JsonBounds } from '../../../http/input/json-bounds.js';
import type { Environment } from '../../../config/environment.js';
import { beginningOf, drop, type OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import { type AddressRule, OutgoingClient } from '../../../http/outgoing/outgoing-client.js';
import type { FairQueueOptions } from '../../../concurrency/fair-queue.js';
import { TooManyContentScans } from '../content.errors.js';
import { InspectorFailure } from './remote-inspection.js';

/** How long making a connection may take and an idle one stays, in milliseconds, and the longest head of an answer. */
const CONNECTIONS = { connectTimeoutMs: 10_000, keepAliveMs: 4_000, maximumHead: 16_384 };

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
  /** What is sent as JSON, or its bytes. */
  readonly body: object | Uint8Array;
  /** Besides those that say how it is sent, by names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the server wants to be shown, if anything. */
  readonly key?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Calls servers that inspect texts. */
export class InspectionServers {
  private readonly client: OutgoingClient;

  /** @param addresses which may be called; undefined for those that the operator has set */
  constructor(environment: Pick<Environment, 'egressProxies'>, addresses?: AddressRule) {
    this.client = new OutgoingClient(environment, { ...CONNECTIONS, addresses });
  }

  /**
   * Sends a request.
   *
   * @returns its answer, of any form
   * @throws InspectorFailure when the server does not answer with JSON within bounds, or in time
   * @throws the reason of the signal
   */
  async ask({ url, body, headers, key, timeoutMs, signal }: RemoteRequest): Promise<unknown> {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await this.client.send(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        body: body instanceof Uint8Array ? body : JSON.stringify(body),
        signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
      });
      const text = await textOf(answer);
      if (exceededBound(text, ANSWER_BOUNDS) !== undefined) throw new InspectorFailure('the answer holds too much');
      return JSON.parse(text) as unknown;
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(error);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

async function textOf({ status, body }: OutgoingAnswer): Promise<string> {
  if (status < 200 || status > 299) {
    drop(body);
    throw new InspectorFailure(`the server answered ${status}`);
  }
  const { bytes, isWhole } = await beginningOf(body, MAXIMUM_ANSWER_BYTES);
  if (!isWhole) throw new InspectorFailure('the answer is too large');
  return bytes.toString();
}

/** What a failure of the network comes to. */
function failureOf(error: unknown): InspectorFailure {
  if (error instanceof InspectorFailure) return error;
  const { name, cause } = error as Error;
  if (cause instanceof InspectorFailure) return cause;
  if (error instanceof SyntaxError) return new InspectorFailure('the answer is no JSON');
  const message = name === 'TimeoutError' ? 'the server did not answer in time' : 'the server did not answer';
  return new InspectorFailure(message, { cause: error });
}
