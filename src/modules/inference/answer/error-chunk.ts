import type { AnswerOrigin } from './answer-form.js';
import { chatErrorFieldsOf } from '../chat-error-form.js';
import { shownErrorOf, shownWordsOf } from './shown-error.js';

/** What the choice of a chunk has said when the stream broke off. */
interface BrokenChoice {
  readonly delta?: { readonly content: '' };
  readonly text?: '';
  readonly logprobs?: null;
}

/**
 * The chunk that ends a stream which cannot be completed. What went wrong within the provider, or the gateway, it does not say.
 *
 * @param origin what was asked, and who answers
 * @param head the fields with which every chunk begins
 * @param choice the part of a choice that says nothing, in the form of the stream
 * @param error whatever the stream broke off with
 */
export function errorChunk(origin: AnswerOrigin, head: object, choice: BrokenChoice, error: unknown): object {
  const { status, message } = shownErrorOf(error);
  return {
    ...head,
    error: { code: status, message, ...chatErrorFieldsOf(status), metadata: shownWordsOf(error) },
    choices: [{ index: 0, ...choice, finish_reason: 'error', native_finish_reason: null }],
    // Faults of the gateway itself show nothing more.
    ...(status !== 500 && origin.routing()),
  };
}
