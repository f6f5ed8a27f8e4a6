import { messagesErrorOf } from '../error-form.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { shownErrorOf, shownWordsOf } from '../../answer/shown-error.js';

/** The event that ends a message which cannot be completed. @param routing says how the request was routed */
export function errorEvent(error: unknown, routing: () => object): StreamEvent {
  const { status, message } = shownErrorOf(error);
  const shown = messagesErrorOf(status, message, shownWordsOf(error).error_type);
  return { event: 'error', data: { type: 'error', error: shown, ...(status !== 500 && routing()) } };
}
