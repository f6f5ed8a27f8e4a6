/** The word for a prompt that does not fit the context of a model, in every form of answers. */
export const CONTEXT_LENGTH_EXCEEDED = 'context_length_exceeded';

/** The stable words for kinds of errors that clients of inference know, by status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'payment_required',
  403: 'permission_denied',
  404: 'not_found',
  408: 'timeout',
  412: 'precondition_failed',
  413: 'payload_too_large',
  422: 'unprocessable',
  429: 'rate_limit_exceeded',
  500: 'server',
  502: 'provider_unavailable',
  503: 'provider_overloaded',
  504: 'timeout',
  529: 'provider_overloaded',
};

/** `error.metadata.error_type` of a status (docs/interface/inference.md#refusals). */
export function errorTypeOf(status: number): string {
  return ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request' : 'unmapped');
}

/** The word of an error that may have one of its own. @param metadata `error.metadata` */
export function errorWordOf(status: number, metadata: Readonly<Record<string, unknown>> = {}): string {
  const { error_type: own } = metadata;
  return typeof own === 'string' ? own : errorTypeOf(status);
}

/**
 * `error.metadata` as operations of inference have it: with the word for the kind of every refusal, also of one that any other
 * operation could give.
 *
 * @param metadata what the error itself says
 */
export function inferenceMetadata(
  status: number,
  metadata: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return { ...metadata, error_type: errorWordOf(status, metadata) };
}

/**
 * The message of a refusal in words that clients of chats know: those that have no code to go by look for OpenAI's words in it.
 *
 * @param word the `error_type` of the refusal
 */
export function messageWithWord(message: string, word: string): string {
  if (word !== CONTEXT_LENGTH_EXCEEDED || /maximum context length|context_length_exceeded/.test(message))
    return message;
  return `${message} (${CONTEXT_LENGTH_EXCEEDED})`;
}
