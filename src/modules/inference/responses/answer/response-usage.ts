import type { AnswerUsage } from '../../answer/usage.js';

/** What was used, and what it costs, in the form of the Responses interface (docs/interface/responses.md#usage). */
export function responseUsageOf(usage: AnswerUsage): object {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, cost_details: costs } = usage;
  return {
    input_tokens: usage.prompt_tokens,
    // Clients with fixed types read both counts, even if the provider has no prompt cache.
    input_tokens_details: {
      cached_tokens: prompt?.cached_tokens ?? 0,
      cache_write_tokens: prompt?.cache_write_tokens ?? 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: completion?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    is_byok: usage.is_byok,
    cost_details: {
      upstream_inference_cost: costs.upstream_inference_cost,
      upstream_inference_input_cost: costs.upstream_inference_prompt_cost,
      upstream_inference_output_cost: costs.upstream_inference_completions_cost,
    },
  };
}
