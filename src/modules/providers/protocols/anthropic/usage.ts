import type { CountedUsage } from '../../chat-completion.js';
import type { CacheWrites } from '../../cache-writes.js';
import { countOf, type JsonObject, objectOf, wordOf } from '../../json-values.js';
import { withMessagesFields } from '../../messages-fields.js';

/** What is read of the usage; the rest of what a provider counts is not kept. */
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const DETAILS = ['cache_creation', 'output_tokens_details'] as const;
const WORDS = ['service_tier', 'speed', 'inference_geo'] as const;

/**
 * Merges the counts of two events: those of the later event replace those of the earlier one, as far as it has them. A zero replaces
 * nothing: some servers repeat the counts of the prompt as zeros at the end.
 */
export function mergedUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of COUNTS) {
    const count = countOf(later[name]);
    if (count !== undefined && (count > 0 || merged[name] === undefined)) merged[name] = count;
  }
  for (const name of DETAILS) if (hasCount(later[name])) merged[name] = later[name];
  for (const name of WORDS) if (wordOf(later[name]) !== undefined) merged[name] = later[name];
  return merged;
}

/** Whether an object of counts has one above zero. */
function hasCount(value: unknown): boolean {
  return Object.values(objectOf(value) ?? {}).some((count) => (countOf(count) ?? 0) > 0);
}

/** Whether the provider has counted the tokens of the answer. Zero is no count: there may be an answer all the same. */
export function countsAnswer(usage: JsonObject): boolean {
  return (countOf(usage['output_tokens']) ?? 0) > 0;
}

/**
 * Reads the tokens that the provider counted. It counts what it read from its cache, and what it wrote there, beside the rest
 * of the prompt; here the prompt contains both.
 *
 * @param isAnswerCounted whether its count of the answer is the last one
 * @returns undefined if it counted nothing
 */
export function countedUsageOf(usage: JsonObject, isAnswerCounted: boolean): CountedUsage | undefined {
  const [input, output] = [countOf(usage['input_tokens']), countOf(usage['output_tokens'])];
  if (input === undefined && output === undefined) return undefined;
  const read = countOf(usage['cache_read_input_tokens']) ?? 0;
  const written = countOf(usage['cache_creation_input_tokens']) ?? 0;
  const completion = output ?? 0;
  const prompt = (input ?? 0) + read + written;
  const thought = countOf(objectOf(usage['output_tokens_details'])?.['thinking_tokens']);
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: Math.min(thought, completion) } }),
  };
  return {
    usage: withMessagesFields(counted, {
      cache_creation: countedCacheWrites(usage),
      speed: wordOf(usage['speed']),
      inference_geo: wordOf(usage['inference_geo']),
    }),
    ...(input === undefined && { isPromptUncounted: true }),
    ...(!isAnswerCounted && { isAnswerUncounted: true }),
  };
}

/** The tokens by how long the cache keeps them; undefined where the provider does not say. */
function countedCacheWrites(usage: JsonObject): CacheWrites | undefined {
  const writes = objectOf(usage['cache_creation']);
  if (writes === undefined) return undefined;
  return {
    ephemeral_5m_input_tokens: countOf(writes['ephemeral_5m_input_tokens']) ?? 0,
    ephemeral_1h_input_tokens: countOf(writes['ephemeral_1h_input_tokens']) ?? 0,
  };
}

/** The tier that served, in the words of the gateway's form; null if the provider does not say. */
export function serviceTierOf(usage: JsonObject | undefined): string | null {
  const tier = wordOf(usage?.['service_tier']);
  return tier === 'standard' ? 'default' : (tier ?? null);
}
