import type { ErrorEnvelope } from '../../../api/errors/error-envelope.js';
import { errorTypeOf, errorWordOf } from '../../../api/errors/error-type.js';
import { CONTEXT_LENGTH_EXCEEDED } from '../refusal-type.js';

/** The words of the Messages form for kinds of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  524: 'timeout_error',
  529: 'overloaded_error',
};

/** The error itself, as clients of the Messages form read it (docs/interface/messages.md#errors). */
export interface MessagesError {
  readonly type: string;
  readonly message: string;
  readonly error_type: string;
}

/** How clients of the form know that the conversation is too long, or its prompt and the longest answer together. */
const TOO_LONG = /prompt is too long|exceed context limit/i;

/** An error of a status in the Messages form. @param errorType the stable word for its kind, if that says more than the status */
export function messagesErrorOf(status: number, message: string, errorType = errorTypeOf(status)): MessagesError {
  if (errorType === CONTEXT_LENGTH_EXCEEDED) {
    const said = TOO_LONG.test(message) ? message : `prompt is too long: ${message}`;
    return { type: 'invalid_request_error', message: said, error_type: errorType };
  }
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type, message, error_type: errorType };
}

/**
 * The body of a failure in the Messages form, which has all that the common one has.
 *
 * @param generationId null before there is one
 */
export function messagesErrorEnvelope({ error, ...envelope }: ErrorEnvelope, generationId: string | null): object {
  const { code, message, metadata } = error;
  return {
    type: 'error',
    error: { ...error, ...messagesErrorOf(code, message, errorWordOf(code, metadata)) },
    request_id: generationId,
    ...envelope,
  };
}
