import { responseUsageOf } from './answer-encoder.js';

const USAGE = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  cost: 0.5,
  is_byok: false,
  cost_details: {
    upstream_inference_cost: null,
    upstream_inference_prompt_cost: 0.2,
    upstream_inference_completions_cost: 0.3,
  },
};

describe('responseUsageOf', () => {
  it.each([
    ['has counted nothing but tokens', {}],
    ['does not say what it wrote to its cache', { prompt_tokens_details: { cached_tokens: 0 } }],
  ])('has every count that clients read where a provider %s', (_, details) => {
    expect(responseUsageOf({ ...USAGE, ...details })).toMatchObject({
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });

  it('has what a provider counts of its cache and of its thoughts', () => {
    const counted = {
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    expect(responseUsageOf({ ...USAGE, ...counted })).toMatchObject({
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      output_tokens_details: { reasoning_tokens: 2 },
    });
  });
});
