import { messagesErrorOf } from '../../../../api/errors/messages-error.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { shownErrorOf } from '../../answer/shown-error.js';

/** The event that ends a message which cannot be completed. @param routing says how the request was routed */
export function errorEvent(error: unknown, routing: () => object): StreamEvent {
  const { status, message } = shownErrorOf(error);
  return {
    event: 'error',
    data: { type: 'error', error: messagesErrorOf(status, message), ...(status !== 500 && routing()) },
  };
}
