import type { GatehouseRequest } from '../request.js';

/** An answer of an operation, as it can be given once more. */
export interface RepeatableAnswer {
  readonly status: number;
  /** Undefined for an answer that has none. */
  readonly entityTag: string | undefined;
  /** As JSON has it; an ErrorEnvelope where the status is that of a failure. */
  readonly body: unknown;
}

/**
 * Sees to it that a request with an Idempotency-Key is done once (docs/interface/conventions.md#idempotency-keys). The idempotency module
 * provides the implementation, so that http does not depend on the database.
 */
export abstract class IdempotentRequests {
  /**
   * Does a request, or gives the answer that it was given before.
   *
   * @param key of the header
   * @param work does the request; its changes are one transaction, which is committed when it returns an answer, also one of a failure
   * @returns the answer, and whether it was given before
   * @throws IdempotencyKeyInUse, IdempotencyKeyReused, IdempotentAnswerNotKept, TooManyIdempotencyKeys, and what the work throws, of which
   *   nothing is kept
   */
  abstract once(
    request: GatehouseRequest,
    key: string,
    work: () => Promise<RepeatableAnswer>,
  ): Promise<{ readonly answer: RepeatableAnswer; readonly isReplayed: boolean }>;
}
