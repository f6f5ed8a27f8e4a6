import { refusalTypeOf } from './refusal-type.js';

describe('refusalTypeOf', () => {
  it.each([
    ['context_length_exceeded', 'context_length_exceeded'],
    ['exceed_context_size_error', 'context_length_exceeded'],
    ['string_above_max_length', 'string_too_long'],
    ['content_filter', 'content_policy_violation'],
    ['invalid_image_format', 'unsupported_image_format'],
    ['image_file_too_large', 'image_too_large'],
    ['failed_to_download_image', 'image_download_failed'],
    ['something_new', 'invalid_request'],
    [null, 'invalid_request'],
  ])('reads the code %s of a provider as %s', (code, word) => {
    expect(refusalTypeOf({ code, message: 'No.' }, 400)).toBe(word);
  });

  it.each([
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
      'context_length_exceeded',
    ],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 'context_length_exceeded'],
    ['prompt is too long: 214350 tokens > 200000 maximum', 'context_length_exceeded'],
    ['input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000', 'context_length_exceeded'],
    ['the request exceeds the available context size, try increasing it', 'context_length_exceeded'],
    ['Your input exceeds the context window of this model.', 'context_length_exceeded'],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'context_length_exceeded',
    ],
    ['Input is too long for requested model.', 'context_length_exceeded'],
    ['max_tokens is too large: 99999. This model supports at most 16384 completion tokens', 'max_tokens_exceeded'],
    ['max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens', 'max_tokens_exceeded'],
    ['messages: at least one message is required', 'invalid_request'],
  ])('reads the wording "%s" as %s', (message, word) => {
    expect(refusalTypeOf({ code: 'invalid_request_error', message }, 400)).toBe(word);
  });

  it.each([
    [413, 'payload_too_large', null],
    [413, 'context_length_exceeded', 'context_length_exceeded'],
    [422, 'unprocessable', null],
    [429, 'rate_limit_exceeded', 'context_length_exceeded'],
    [403, 'permission_denied', 'content_filter'],
  ])('is for the status %i %s where the code is %s', (status, word, code) => {
    expect(refusalTypeOf({ code, message: 'No.' }, status)).toBe(word);
  });
});
