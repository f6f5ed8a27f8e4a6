import type { TokenUsage } from '../../providers/chat-completion.js';
import type { AnswerOutcome } from './answer-outcome.js';
import type { Cost } from './cost.js';

/** The bytes of delivered text that are charged as one token where a provider reported nothing. */
const BYTES_PER_TOKEN = 4;

/** What a provider reported of an answer, and how much of it was delivered. */
type Reported = Pick<AnswerOutcome, 'usage' | 'deliveredBytes' | 'isAnswerUncounted' | 'isPromptUncounted'>;

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
 * The usage that is charged: what the provider reported. Where it reported nothing, or only zeros, which some servers send instead of
 * counting, that is what was sent and delivered, rounded up; where it has not counted the prompt, or the answer to the end, of the
 * tokens that it has counted and those of what was sent, or delivered, the more. Of a total alone the answer is what is left.
 *
 * @param promptBytes of the texts that were sent
 */
export function usageOf(
  { usage, deliveredBytes, isAnswerUncounted, isPromptUncounted }: Reported,
  promptBytes: () => number,
): TokenUsage {
  if (usage === null || usage.total_tokens === 0) {
    return withTokens(null, estimatedTokens(promptBytes()), estimatedTokens(deliveredBytes));
  }
  if (isAnswerUncounted !== true && isPromptUncounted !== true) return usage;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const ofNeither = total - prompt - completion;
  const sent = isPromptUncounted === true ? estimatedTokens(promptBytes()) : 0;
  const read = Math.max(prompt, ofNeither > 0 ? Math.min(sent, ofNeither) : sent);
  const delivered = isAnswerUncounted === true ? estimatedTokens(deliveredBytes) : 0;
  return withTokens(usage, read, Math.max(completion, ofNeither - read, delivered));
}

function withTokens(usage: TokenUsage | null, prompt: number, completion: number): TokenUsage {
  return { ...usage, prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The tokens that are charged for texts that a provider has not counted. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Whether a provider has read a prompt from its cache, or has written it there: then it knows it next time. */
export function usesPromptCache(usage: TokenUsage | null): boolean {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = usage?.prompt_tokens_details ?? {};
  return cached + written > 0;
}
