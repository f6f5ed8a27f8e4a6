import type { CountedUsage, TokenUsage } from '../chat/chat-completion.js';
import { countOf, type JsonObject, listOf, objectOf, wordOf } from '../chat/json-values.js';

/** What is read of the counts; the rest of what the provider says there is not kept. */
const COUNTS = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
] as const;

/** Lists of counts by modality. */
const DETAILS = ['promptTokensDetails', 'candidatesTokensDetails'] as const;

const WORDS = ['serviceTier', 'trafficType'] as const;

/** How many entries of a list by modality are looked at: there are five modalities. */
const MAXIMUM_MODALITIES = 20;

/**
 * Merges the counts of two answers of one stream: each is a total of everything until then, and leaves out what is zero or was said
 * before (https://ai.google.dev/api/generate-content#UsageMetadata).
 */
export function mergedUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of COUNTS) {
    const count = countOf(later[name]);
    if (count !== undefined && (count > 0 || merged[name] === undefined)) merged[name] = count;
  }
  for (const name of DETAILS) {
    const entries = listOf(later[name]).slice(0, MAXIMUM_MODALITIES).map(objectOf);
    if (entries.length > 0) {
      merged[name] = entries.map((entry) => ({
        modality: wordOf(entry?.['modality']),
        tokenCount: entry?.['tokenCount'],
      }));
    }
  }
  for (const name of WORDS) if (wordOf(later[name]) !== undefined) merged[name] = wordOf(later[name]);
  return merged;
}

/**
 * Reads the tokens that the provider counted. It counts the thoughts beside the rest of the answer, which has both here, and what its
 * tools gave the model beside the rest of the prompt. What the total has beyond all of them is output.
 *
 * @param usage `usageMetadata`, merged where it came in parts
 * @param isAnswerCounted whether its count of the answer is the last one
 * @returns undefined if it counted nothing
 */
export function countedUsageOf(usage: JsonObject, isAnswerCounted: boolean): CountedUsage | undefined {
  const count = (name: (typeof COUNTS)[number]): number => countOf(usage[name]) ?? 0;
  if (COUNTS.every((name) => countOf(usage[name]) === undefined)) return undefined;
  const isPromptUncounted = countOf(usage['promptTokenCount']) === undefined;
  const prompt = count('promptTokenCount') + count('toolUsePromptTokenCount');
  const thoughts = count('thoughtsTokenCount');
  const stated = count('candidatesTokenCount') + thoughts;
  const total = count('totalTokenCount');
  const completion = isPromptUncounted ? stated : Math.max(stated, total - prompt);
  const tokens: TokenUsage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: isPromptUncounted ? Math.max(total, prompt + completion) : prompt + completion,
    prompt_tokens_details: {
      cached_tokens: Math.min(count('cachedContentTokenCount'), prompt),
      ...countsByModality(usage['promptTokensDetails'], ['audio', 'image', 'video']),
    },
    completion_tokens_details: {
      reasoning_tokens: thoughts,
      ...countsByModality(usage['candidatesTokensDetails'], ['audio', 'image']),
    },
  };
  return {
    usage: tokens,
    ...(isPromptUncounted && { isPromptUncounted }),
    ...(!isAnswerCounted && { isAnswerUncounted: true }),
  };
}

/** Whether the provider has counted anything of an answer. */
export function countsAnswer(usage: JsonObject): boolean {
  return (countedUsageOf(usage, true)?.usage.completion_tokens ?? 0) > 0;
}

function countsByModality(value: unknown, modalities: readonly string[]): Readonly<Record<string, number>> {
  const entries = listOf(value).slice(0, MAXIMUM_MODALITIES).map(objectOf);
  return Object.fromEntries(
    modalities.flatMap((modality) => {
      const entry = entries.find((one) => one?.['modality'] === modality.toUpperCase());
      const count = countOf(entry?.['tokenCount']);
      return count === undefined ? [] : [[`${modality}_tokens`, count] as const];
    }),
  );
}

const TIERS: ReadonlyMap<string, string> = new Map([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['ON_DEMAND', 'default'],
  ['ON_DEMAND_FLEX', 'flex'],
  ['ON_DEMAND_PRIORITY', 'priority'],
]);

/** The tier that served, in the words of the gateway's form; null if the provider does not say, or has its own word. */
export function serviceTierOf(usage: JsonObject): string | null {
  const tier = wordOf(usage['serviceTier']);
  const traffic = wordOf(usage['trafficType']);
  return TIERS.get(tier?.toLowerCase() ?? '') ?? TIERS.get(traffic ?? '') ?? null;
}
