import type { TokenUsage } from '../../chat-completion.js';
import { countOf, type JsonObject, wordOf } from '../../json-values.js';

/** What is read of the usage; the rest of what a provider counts is not kept. */
const READ = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'service_tier',
] as const;

/** Puts the counts of a later event over those of an earlier one, of which it may leave out any. */
export function mergedUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of READ) if (later[name] !== undefined && later[name] !== null) merged[name] = later[name];
  return merged;
}

/** The tokens of the answer; undefined where the provider has not counted them. */
export function answerCount(usage: JsonObject | undefined): number | undefined {
  return countOf(usage?.['output_tokens']);
}

/**
 * Reads the tokens that the provider counted. It counts what it read from its cache, and what it wrote there, beside the rest
 * of the prompt; here the prompt contains both.
 *
 * @returns null if there is no count of the prompt
 */
export function usageOf(usage: JsonObject | undefined): TokenUsage | null {
  const input = countOf(usage?.['input_tokens']);
  if (usage === undefined || input === undefined) return null;
  const read = countOf(usage['cache_read_input_tokens']) ?? 0;
  const written = countOf(usage['cache_creation_input_tokens']) ?? 0;
  const completion = answerCount(usage) ?? 0;
  const prompt = input + read + written;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
  };
}

/** The tier that served, in the words of the gateway's form; null if the provider does not say. */
export function serviceTierOf(usage: JsonObject | undefined): string | null {
  const tier = wordOf(usage?.['service_tier']);
  return tier === 'standard' ? 'default' : (tier ?? null);
}
