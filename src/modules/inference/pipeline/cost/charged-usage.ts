import type { AnswerUsage } from '../../../codecs/client-codec.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Cost } from './cost.js';

type CountedAnswer = Pick<
  AnswerOutcome,
  'usage' | 'delivered' | 'hiddenTokens' | 'isAnswerUncounted' | 'isPromptUncounted'
>;

type CompletionDetails = NonNullable<TokenUsage['completion_tokens_details']>;

const NOTHING_COUNTED: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** The usage of an answer. The amounts are the nearest doubles of the exact ones that are charged. */
export function answerUsage(usage: TokenUsage, cost: Cost, isByok: boolean): AnswerUsage {
  return Object.assign({}, usage, {
    cost: Number(cost.total),
    is_byok: isByok,
    cost_details: {
      upstream_inference_cost: isByok ? Number(cost.total) : null,
      upstream_inference_prompt_cost: Number(cost.prompt),
      upstream_inference_completions_cost: Number(cost.completion),
    },
  });
}

/**
 * The usage that is charged: what the provider reported. If the provider reported nothing or only zeros: the estimate. If it did not count
 * the prompt, or counted it as zero, or not the whole answer: the larger of its count and the estimate. If it reported only a total:
 * completion = total - estimated prompt.
 *
 * @param promptTokens estimates the tokens of the prompt
 */
export function usageOf(answer: CountedAnswer, promptTokens: () => number): TokenUsage {
  const isCounted = answer.usage !== null && answer.usage.total_tokens > 0;
  const counted = isCounted ? answer.usage : NOTHING_COUNTED;
  const isPromptUncounted = counted.prompt_tokens === 0 || answer.isPromptUncounted === true;
  const isAnswerUncounted = counted.completion_tokens === 0 || answer.isAnswerUncounted === true;
  if (!isPromptUncounted && !isAnswerUncounted) return counted;
  const ofNeither = counted.total_tokens - counted.prompt_tokens - counted.completion_tokens;
  const sent = isPromptUncounted ? promptTokens() : 0;
  const prompt = Math.max(counted.prompt_tokens, ofNeither > 0 ? Math.min(sent, ofNeither) : sent);
  const came = isAnswerUncounted ? tokensThatCame(answer) : 0;
  const completion = Math.max(counted.completion_tokens, ofNeither - prompt, came);
  const usage = { ...counted, prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const kinds = isAnswerUncounted ? kindsThatCame(answer) : {};
  if (Object.keys(kinds).length === 0) return usage;
  return { ...usage, completion_tokens_details: { ...counted.completion_tokens_details, ...kinds } };
}

function tokensThatCame({ delivered: { texts, audio, images }, hiddenTokens = 0 }: CountedAnswer): number {
  return texts + audio + images + hiddenTokens;
}

/** The tokens that are not texts, in the fields in which providers report their own counts. */
function kindsThatCame({ delivered: { audio, images }, hiddenTokens = 0 }: CountedAnswer): CompletionDetails {
  return {
    ...(hiddenTokens > 0 && { reasoning_tokens: hiddenTokens }),
    ...(audio > 0 && { audio_tokens: audio }),
    ...(images > 0 && { image_tokens: images }),
  };
}

/** Whether a provider has read a prompt from its cache or written it there, so that the next request can use that cache. */
export function usesPromptCache(usage: TokenUsage | null): boolean {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = usage?.prompt_tokens_details ?? {};
  return cached + written > 0;
}
