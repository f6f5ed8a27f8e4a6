import { CONTEXT_LENGTH_EXCEEDED, errorTypeOf } from '../../../http/errors/error-type.js';
import { isContextError } from './context-errors.js';
import type { ProviderError } from './provider-error.js';

/** The statuses of a refusal for something in the request that the words below name. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 413, 422]);

/** The stable word for the codes of providers. */
const BY_CODE: ReadonlyMap<string, string> = new Map([
  ['string_above_max_length', 'string_too_long'],
  ['invalid_prompt', 'invalid_prompt'],
  ['content_policy_violation', 'content_policy_violation'],
  ['content_filter', 'content_policy_violation'],
  ['moderation_blocked', 'content_policy_violation'],
  ['image_content_policy_violation', 'content_policy_violation'],
  ['invalid_image', 'invalid_image'],
  ['invalid_base64_image', 'invalid_image'],
  ['invalid_image_url', 'invalid_image'],
  ['image_parse_error', 'invalid_image'],
  ['empty_image_file', 'invalid_image'],
  ['image_too_large', 'image_too_large'],
  ['image_file_too_large', 'image_too_large'],
  ['image_too_small', 'image_too_small'],
  ['invalid_image_format', 'unsupported_image_format'],
  ['unsupported_image_media_type', 'unsupported_image_format'],
  ['failed_to_download_image', 'image_download_failed'],
]);

/** The words for the messages of providers that have no code for the case. */
const BY_WORDING: readonly (readonly [wording: RegExp, word: string])[] = [
  [/max_(completion_|output_)?tokens is too large/i, 'max_tokens_exceeded'],
  [/maximum allowed number of output tokens/i, 'max_tokens_exceeded'],
];

/**
 * `error_type` of a refusal of a provider: clients shorten their conversation at `context_length_exceeded`, for example
 * (docs/interface/inference.md#refusals).
 *
 * @param status that the caller is answered
 */
export function refusalTypeOf({ code, message }: Pick<ProviderError, 'code' | 'message'>, status: number): string {
  if (!OF_THE_REQUEST.has(status)) return errorTypeOf(status);
  if (isContextError(message, code)) return CONTEXT_LENGTH_EXCEEDED;
  const worded = BY_WORDING.find(([wording]) => wording.test(message))?.[1];
  return BY_CODE.get(code ?? '') ?? worded ?? errorTypeOf(status);
}
