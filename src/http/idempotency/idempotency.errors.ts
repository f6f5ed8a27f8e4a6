import { defineError, defineRetryLaterError } from '../errors/define-error.js';
import { IssueKind } from '../errors/issue-kind.js';

/** The header Idempotency-Key is no key. Its value is not repeated: answers are sealed under it. */
export const MALFORMED_IDEMPOTENCY_KEY = new IssueKind(
  'malformed_idempotency_key',
  'must be one value of 1 to 255 visible ASCII characters, which may stand in quotation marks',
);

/** A request with the same key is being worked on. */
export class IdempotencyKeyInUse extends defineRetryLaterError(409, 'idempotency_key_in_use') {}

/** The key was used for another request: another method, path, query or body. */
export class IdempotencyKeyReused extends defineError(422, 'idempotency_key_reused') {}

/**
 * The request was done before, and its answer is not kept: it held a secret, and the key is too short to seal it under, or the credential has
 * been rotated since.
 */
export class IdempotentAnswerNotKept extends defineError(409, 'idempotent_answer_not_kept') {}

/** The organization has as many keys that have not expired as it may have. */
export class TooManyIdempotencyKeys extends defineRetryLaterError(429, 'too_many_idempotency_keys') {}

/** What an operation that takes an Idempotency-Key may answer for that. */
export const IDEMPOTENCY_ERRORS = [
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  IdempotentAnswerNotKept,
  TooManyIdempotencyKeys,
] as const;
