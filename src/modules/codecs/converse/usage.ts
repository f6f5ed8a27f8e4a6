import { countedUsageOf as countedUsageOfMessages } from '../anthropic-messages/answer-decoder.js';
import type { CountedUsage } from '../chat/chat-completion.js';
import { countOf, type JsonObject, objectOf, walkedListOf } from '../chat/json-values.js';

/** The names of the counts of a cache: some models have the second. */
const READ = ['cacheReadInputTokens', 'cacheReadInputTokenCount'] as const;
const WRITTEN = ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'] as const;

/** How long a cache keeps tokens, and the name of their count in the Messages form. */
const LIFETIMES: ReadonlyMap<unknown, string> = new Map([
  ['5m', 'ephemeral_5m_input_tokens'],
  ['1h', 'ephemeral_1h_input_tokens'],
]);

/**
 * Reads the tokens that the provider counted (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html). As in
 * the Messages form, what was read from a cache and written there is not among those of the input. The reasoning is among those of the
 * output, and is not counted apart.
 *
 * @returns undefined if it counted nothing
 */
export function countedUsageOf(value: unknown): CountedUsage | undefined {
  const usage = objectOf(value);
  if (usage === undefined) return undefined;
  const output = countOf(usage['outputTokens']);
  const counts = {
    input_tokens: usage['inputTokens'],
    output_tokens: output,
    cache_read_input_tokens: firstCountOf(usage, READ),
    cache_creation_input_tokens: firstCountOf(usage, WRITTEN),
    cache_creation: cacheWritesIn(usage),
  };
  return countedUsageOfMessages(counts, output !== undefined);
}

function firstCountOf(usage: JsonObject, names: readonly string[]): number | undefined {
  return names.map((name) => countOf(usage[name])).find((count) => count !== undefined);
}

function cacheWritesIn({ cacheDetails }: JsonObject): JsonObject | undefined {
  const details = walkedListOf(cacheDetails).flatMap((detail): readonly (readonly [string, number])[] => {
    const { ttl, inputTokens } = objectOf(detail) ?? {};
    const [name, count] = [LIFETIMES.get(ttl), countOf(inputTokens)];
    return name === undefined || count === undefined ? [] : [[name, count]];
  });
  return details.length === 0 ? undefined : Object.fromEntries(details);
}
