import type { GenerationEvent } from './generation-event.js';

/** Tokens of the prompt and the answer together; null where nobody has counted them. */
export function totalTokensOf({ usage }: GenerationEvent): number | null {
  if (usage.promptTokens === null && usage.completionTokens === null) return null;
  return (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
}

/** Counts without those that nobody knows. */
export function knownCounts(counts: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== null));
}
