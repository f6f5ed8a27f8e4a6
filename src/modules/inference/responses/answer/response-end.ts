import { errorTypeOf } from '../../../../api/errors/error-type.js';
import type { ContentError } from '../../../generations/content/generation-content.js';
import type { FinishReason } from '../../../providers/chat-completion.js';
import { CONTEXT_LENGTH_EXCEEDED } from '../../refusal-type.js';

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

/** What is known of why an answer cannot be completed. */
export interface FailureWords {
  /** The stable word for its kind. */
  readonly error_type: string;
  /** The provider's own word. */
  readonly provider_code?: string;
}

/** The end of an answer that cannot be completed. @param words if they say more than the status */
export function failedEnd(
  { status, message }: ContentError,
  words: FailureWords = { error_type: errorTypeOf(status) },
): ResponseEnd {
  return {
    status: 'failed',
    incomplete_details: null,
    error: { code: codeOf(status, words), message },
    error_type: words.error_type,
  };
}

function cut(reason: 'max_output_tokens' | 'content_filter'): ResponseEnd {
  return { status: 'incomplete', incomplete_details: { reason }, error: null };
}

/** The codes of the form for requests that a provider refuses, of which clients know what to do. */
const CODES_OF_REFUSALS: ReadonlySet<string> = new Set([
  'bio_policy',
  'cyber_policy',
  'misalignment_policy_violation',
  'data_residency_mismatch',
  'flex_unavailable',
  'insufficient_quota',
  'invalid_image',
  'invalid_image_format',
  'invalid_base64_image',
  'invalid_image_url',
  'image_too_large',
  'image_too_small',
  'image_parse_error',
  'image_content_policy_violation',
  'invalid_image_mode',
  'image_file_too_large',
  'unsupported_image_media_type',
  'empty_image_file',
  'failed_to_download_image',
  'image_file_not_found',
]);

/** The statuses of a provider that has too much to do. */
const OVERLOADED: ReadonlySet<number> = new Set([503, 529]);

/** Coding agents decide by it whether to ask again, and when, or to shorten the conversation. */
function codeOf(status: number, { error_type: word, provider_code: code = '' }: FailureWords): string {
  if (word === CONTEXT_LENGTH_EXCEEDED) return word;
  if (CODES_OF_REFUSALS.has(code)) return code;
  if (status === 429) return 'rate_limit_exceeded';
  if (OVERLOADED.has(status)) return 'server_is_overloaded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}
