import type { ErrorEnvelope } from '../../../api/errors/error-envelope.js';
import { errorWordOf } from '../../../api/errors/error-type.js';
import { chatErrorEnvelope } from '../chat-error-form.js';

/** The body of a failure in the Responses form: the common one, and the word for its kind at its top. */
export function responsesErrorEnvelope(envelope: ErrorEnvelope): object {
  const { code, metadata } = envelope.error;
  return { ...chatErrorEnvelope(envelope), error_type: errorWordOf(code, metadata) };
}
