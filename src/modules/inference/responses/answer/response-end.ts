import { errorTypeOf } from '../../../../api/errors/error-type.js';
import type { ContentError } from '../../../generations/content/generation-content.js';
import type { FinishReason } from '../../../providers/chat-completion.js';

/** How an answer ends, and what it says of it. */
export interface ResponseEnd {
  readonly status: 'completed' | 'incomplete' | 'failed';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The stable word for the kind of an error. */
  readonly error_type?: string;
}

/** The end of an answer that the provider has finished. */
export function endOf(reason: FinishReason | null): ResponseEnd {
  if (reason === 'length') return cut('max_output_tokens');
  if (reason === 'content_filter') return cut('content_filter');
  if (reason === 'error') return failedEnd({ status: 502, message: 'Provider returned error' });
  return { status: 'completed', incomplete_details: null, error: null };
}

/** The end of an answer that cannot be completed. @param errorType the stable word for its kind, if that says more than the status */
export function failedEnd({ status, message }: ContentError, errorType = errorTypeOf(status)): ResponseEnd {
  return {
    status: 'failed',
    incomplete_details: null,
    error: { code: codeOf(status), message },
    error_type: errorType,
  };
}

function cut(reason: 'max_output_tokens' | 'content_filter'): ResponseEnd {
  return { status: 'incomplete', incomplete_details: { reason }, error: null };
}

function codeOf(status: number): string {
  if (status === 429) return 'rate_limit_exceeded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
