import type { TokenUsage } from '../../chat-completion.js';
import { countOf, type JsonObject, objectOf } from '../../json-values.js';

const PROMPT_DETAILS = ['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens', 'video_tokens'] as const;

const COMPLETION_DETAILS = [
  'reasoning_tokens',
  'audio_tokens',
  'image_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
] as const;

/**
 * Reads the tokens that a provider counted. Some leave the reasoning out of the completion and count it in the total alone;
 * what the total has beyond the prompt is the completion then, so that nothing is left uncharged.
 *
 * @returns null if there is no count of the prompt
 */
export function usageOf(value: unknown): TokenUsage | null {
  const usage = objectOf(value);
  const prompt = countOf(usage?.['prompt_tokens']);
  if (usage === undefined || prompt === undefined) return null;
  const stated = countOf(usage['completion_tokens']) ?? 0;
  const completion = Math.max(stated, (countOf(usage['total_tokens']) ?? 0) - prompt);
  const promptDetails = promptDetailsOf(usage, prompt);
  const completionDetails = countsOf(objectOf(usage['completion_tokens_details']), COMPLETION_DETAILS);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(promptDetails === undefined ? {} : { prompt_tokens_details: promptDetails }),
    ...(completionDetails === undefined ? {} : { completion_tokens_details: completionDetails }),
  };
}

/** Whether a provider has counted the tokens of the answer. */
export function countsAnswer(value: unknown): boolean {
  const usage = objectOf(value);
  return countOf(usage?.['completion_tokens']) !== undefined || countOf(usage?.['total_tokens']) !== undefined;
}

/** The cached tokens stand in one of three places. Together with those written they are never more than the prompt. */
function promptDetailsOf(usage: JsonObject, prompt: number): TokenUsage['prompt_tokens_details'] | undefined {
  const details = countsOf(objectOf(usage['prompt_tokens_details']), PROMPT_DETAILS);
  const written = details?.cache_write_tokens;
  const cached = details?.cached_tokens ?? countOf(usage['prompt_cache_hit_tokens']) ?? countOf(usage['cached_tokens']);
  if (details === undefined && cached === undefined) return undefined;
  const read = Math.min(cached ?? 0, prompt);
  return {
    ...details,
    ...(cached === undefined ? {} : { cached_tokens: read }),
    ...(written === undefined ? {} : { cache_write_tokens: Math.min(written, prompt - read) }),
  };
}

function countsOf<Name extends string>(
  details: JsonObject | undefined,
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> | undefined {
  if (details === undefined) return undefined;
  const counts: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const count = countOf(details[name]);
    if (count !== undefined) counts[name] = count;
  }
  return counts;
}
