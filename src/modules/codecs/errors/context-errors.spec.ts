import { isContextError } from './context-errors.js';

describe('isContextError', () => {
  it.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
    'prompt is too long: 214350 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Unable to submit request because the input token count is 1048600 but model only supports up to 1048576.',
    'Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "You passed 5000 input tokens and requested 16 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4080 tokens. Please reduce the length of the input messages.",
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 10 input tokens",
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens.",
    'Input is too long for requested model.',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    'the input length exceeds the context length',
    'prompt too long; exceeded max context length by 120 tokens',
    'the request exceeds the available context size, try increasing it',
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    'Context size has been exceeded.',
    'input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 16 `max_new_tokens`',
    'Input validation error: `inputs` must have less than 1024 tokens. Given: 1500',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4500.',
    'too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs.',
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    'The prompt is too long: 9000, model maximum context length: 8191',
    'Invalid request: Your request exceeded model token limit: 8192',
    'InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
    'Prompt exceeds max length',
    'invalid params, context window exceeds limit (2013)',
    'Total tokens of image and text exceed max message tokens.',
    'Input length 140000 exceeds the maximum length 131072',
    'prompt token count (5000) cannot exceed 4096. Please reduce the length of your input.',
    'prompt token count of 130000 exceeds the limit of 128000',
    'the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model',
    'Request body too large for gpt-4o model. Max size: 8000 tokens.',
    'Prompt length (5000) exceeds maximum input length (4096).',
    'The sum of prompt length (5000), query length (0) should not exceed max_num_tokens (4096)',
    'The max allowed tokens per submitted batch is 120000. Your batch has 130000 tokens after truncation.',
  ])('is true of the wording "%s"', (message) => {
    expect(isContextError(message)).toBe(true);
  });

  it.each(['context_length_exceeded', 'exceed_context_size_error', 'ContextWindowExceededError', 'prompt_too_long'])(
    'is true of the code %s',
    (code) => {
      expect(isContextError('No.', code)).toBe(true);
    },
  );

  it.each([
    'max_tokens is too large: 99999. This model supports at most 16384 completion tokens',
    'max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for this model',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 10000, please reduce your message size and try again.',
    'Too many tokens, please wait before trying again.',
    'messages: at least one message is required',
    "Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576",
    'Unknown parameter: context_length',
    'The file exceeds the maximum size of 20 MB.',
    'tools[0].function.name is too long',
    '',
  ])('is false of the wording "%s"', (message) => {
    expect(isContextError(message, 'invalid_request_error')).toBe(false);
  });

  it('takes no longer for a message that nearly has the wordings very often', () => {
    const message = 'exceeds prompt input '.repeat(50_000);

    expect(isContextError(message)).toBe(false);
  });
});
