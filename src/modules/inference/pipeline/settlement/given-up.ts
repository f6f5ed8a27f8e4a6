import { AnswerMemoryExhausted, ServiceStopping } from '../../inference.errors.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { shownErrorOf } from '../../../codecs/errors/shown-error.js';

/** Whether the gateway gives an answer up with an error: because the process stops, or there is no memory for it. */
export function isGivingUp(error: unknown): error is ServiceStopping | AnswerMemoryExhausted {
  return error instanceof ServiceStopping || error instanceof AnswerMemoryExhausted;
}

/**
 * The outcome of an answer that the gateway has given up: it is charged as one that its client has left.
 *
 * @param left the outcome of that
 * @param error why, such as that its provider did not answer in time
 */
export function givenUp(left: AnswerOutcome, error: unknown): AnswerOutcome {
  return { ...left, isCancelled: false, hasFailed: true, isGivenUp: true, error: shownErrorOf(error) };
}
