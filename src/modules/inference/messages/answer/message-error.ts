import { messagesErrorOf } from '../error-form.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { shownErrorOf, shownWordsOf } from '../../answer/shown-error.js';
import type { AnswerOrigin } from '../../answer/answer-form.js';

/** The event that ends a message which cannot be completed. */
export function errorEvent(error: unknown, { draft, routing }: AnswerOrigin): StreamEvent {
  const { status, message } = shownErrorOf(error);
  const shown = messagesErrorOf(status, message, shownWordsOf(error).error_type);
  return {
    event: 'error',
    data: { type: 'error', error: shown, request_id: draft.id, ...(status !== 500 && routing()) },
  };
}
