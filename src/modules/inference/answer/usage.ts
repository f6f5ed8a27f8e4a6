import type { TokenUsage } from '../../providers/chat-completion.js';
import type { Cost } from './cost.js';

/** The bytes of delivered text that are charged as one token where a provider reported nothing. */
const BYTES_PER_TOKEN = 4;

/** What was used, and what it costs, as answers say it (docs/interface/inference.md#usage). */
export interface AnswerUsage extends TokenUsage {
  readonly cost: number;
  readonly is_byok: boolean;
  readonly cost_details: {
    readonly upstream_inference_cost: number | null;
    readonly upstream_inference_prompt_cost: number;
    readonly upstream_inference_completions_cost: number;
  };
}

/** The usage of an answer. The amounts are the nearest doubles of the exact ones that are charged. */
export function answerUsage(usage: TokenUsage, cost: Cost, isByok: boolean): AnswerUsage {
  return {
    ...usage,
    cost: Number(cost.total),
    is_byok: isByok,
    cost_details: {
      upstream_inference_cost: isByok ? Number(cost.total) : null,
      upstream_inference_prompt_cost: Number(cost.prompt),
      upstream_inference_completions_cost: Number(cost.completion),
    },
  };
}

/**
 * The usage of an answer whose provider reported none: what was sent and delivered, rounded up.
 *
 * @param promptBytes of the texts that were sent
 * @param deliveredBytes of the texts that came back
 */
export function estimatedUsage(promptBytes: number, deliveredBytes: number): TokenUsage {
  const prompt = Math.ceil(promptBytes / BYTES_PER_TOKEN);
  const completion = Math.ceil(deliveredBytes / BYTES_PER_TOKEN);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** Whether a provider has read a prompt from its cache, or has written it there: then it knows it next time. */
export function usesPromptCache(usage: TokenUsage | null): boolean {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = usage?.prompt_tokens_details ?? {};
  return cached + written > 0;
}
