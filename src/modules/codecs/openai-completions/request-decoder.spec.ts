import { chatRequestOfCompletions, type CompletionRequest } from './request-decoder.js';

/** A request with every field of the form. */
const WHOLE = {
  model: 'acme/writer',
  models: ['acme/spare'],
  preset: 'bot',
  provider: { order: ['alpha'] },
  route: 'fallback',
  plugins: [],
  stream: true,
  stream_options: {},
  max_tokens: 5,
  temperature: 1,
  top_p: 0.5,
  top_k: 3,
  min_p: 0.1,
  top_a: 0.2,
  frequency_penalty: 1,
  presence_penalty: 1,
  repetition_penalty: 1,
  seed: 7,
  stop: 'END',
  logit_bias: { '1': 2 },
  n: 2,
  reasoning: { effort: 'low' },
  service_tier: 'flex',
  session_id: 'session-1',
  prompt_cache_key: 'support',
  user: 'user-1',
  metadata: { a: 'b' },
  trace: {},
} as const;

describe('chatRequestOfCompletions', () => {
  it('keeps the fields that both forms have, and writes the prompt as the message of a user', () => {
    const request: CompletionRequest = { ...WHOLE, prompt: ['Hello'], best_of: 2, echo: true, suffix: '' };

    expect(chatRequestOfCompletions(request)).toEqual({ ...WHOLE, messages: [{ role: 'user', content: 'Hello' }] });
  });

  it('asks for logprobs with the given number of alternatives, which can be 0', () => {
    const messages = [{ role: 'user', content: 'Hello' }];

    expect(chatRequestOfCompletions({ prompt: 'Hello', logprobs: 0 })).toEqual({
      messages,
      logprobs: true,
      top_logprobs: 0,
    });
    expect(chatRequestOfCompletions({ prompt: 'Hello', logprobs: 5 })).toEqual({
      messages,
      logprobs: true,
      top_logprobs: 5,
    });
    expect(chatRequestOfCompletions({ prompt: 'Hello', logprobs: null })).toEqual({ messages });
  });

  it('hands on no other field, above all none that its own form would have checked', () => {
    const request = { prompt: 'Hello', messages: [1], tools: 'all', logit_bias: null } as unknown as CompletionRequest;

    expect(chatRequestOfCompletions(request)).toEqual({
      messages: [{ role: 'user', content: 'Hello' }],
      logit_bias: null,
    });
  });
});
