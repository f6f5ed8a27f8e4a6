import type { DestinationConfig } from '../config-mask.js';
import type { OutgoingGeneration } from './generation-event.js';

/** A request to a receiver. Headers of the destination's own configuration are in it already. */
export interface ReceiverRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** Milliseconds until the answer has to be there; 15,000 by default. */
  readonly timeoutMs?: number;
}

/** What a receiver answered. */
export interface ReceiverAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** At most its first 64 KiB. */
  readonly body: string;
  /** The body as it came, for what is no text. */
  readonly bytes?: Buffer;
}

/** Sends requests to receivers. */
export interface ReceiverTransport {
  /**
   * @throws ReceiverUnreachable when there is no connection or no whole answer in time
   * @throws ReceiverNotAllowed when the host leads to an address that is not allowed
   */
  send(request: ReceiverRequest): Promise<ReceiverAnswer>;
}

/** How a delivery of one batch ended, and what is to be done about it (docs/interface/destination-types.md#answers). */
export type DeliveryVerdict =
  | {
      readonly outcome: 'delivered';
      /** What the receiver says of what it did not keep: at most 500 characters, without credentials. */
      readonly note?: string;
      /** How many spans it did not keep; absent without a note. */
      readonly rejectedSpans?: number;
    }
  /** The receiver wants fewer requests; the events are fine. */
  | Waiting<'throttled'>
  /** The receiver does not answer now; the events are fine. */
  | Waiting<'unavailable'>
  /** The receiver failed on this batch (500): it may be the batch, or the receiver. */
  | Waiting<'failed'>
  /** The batch is too large or has an event that the receiver does not take: to be halved, and given up when it is one event. */
  | Told<'refused'>
  /** The configuration is wrong: the destination pauses. */
  | Told<'misconfigured'>
  /** The receiver is gone for good (410): the destination pauses until it is changed. */
  | Told<'gone'>
  /** The receiver does not read this encoding. */
  | Told<'unsupported_encoding'>;

interface Told<Outcome extends string> {
  readonly outcome: Outcome;
  readonly status: number | null;
  /** At most 500 characters, without credentials. */
  readonly message: string;
}

interface Waiting<Outcome extends string> extends Told<Outcome> {
  /** How long the receiver wants to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Encodings of a body that a destination may be remembered to need. */
export type BodyEncoding = 'json' | 'protobuf';

/** What all generations of a delivery have in common. */
export interface DeliveryTarget {
  readonly destinationId: string;
  /** Decrypted, with the defaults of absent settings. */
  readonly config: DestinationConfig;
  /** The encoding of the last delivery that worked; null before. */
  readonly encoding: BodyEncoding | null;
  /** Secrets that sign deliveries, the newest first; empty without any. */
  readonly signingSecrets: readonly string[];
}

/** How much a type takes with one request. */
export interface BatchLimits {
  readonly generations: number;
  /** Of the body before compression. */
  readonly bytes: number;
  /** How many requests are under way at once. */
  readonly concurrency: number;
}

/** One type of destination: how generations are written for it, and what its answers mean (one file each below `adapters/`). */
export interface DestinationAdapter {
  readonly limits: BatchLimits;

  /**
   * Sends some generations together, at least one and at most as many as the limits say. One that is larger than the limit of bytes is
   * shortened, first its values, then its content as a whole.
   *
   * @param encoding in which the body is written, for types that have more than one
   * @returns how it ended; never throws for what a receiver does
   * @throws ReceiverUnreachable, ReceiverNotAllowed
   */
  deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
    encoding?: BodyEncoding,
  ): Promise<DeliveryVerdict>;

  /** Estimated bytes of a generation in a body, to fill batches by. */
  bytesOf(generation: OutgoingGeneration): number;
}
