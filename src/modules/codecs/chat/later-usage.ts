import type { CountedUsage, TokenUsage } from './chat-completion.js';
import { messagesFieldsOf, withMessagesFields, type CacheWrites, cacheWritesOf } from './messages-fields.js';

/** Counts by name, as details of a usage have them. */
type Counts = Readonly<Record<string, number | null | undefined>> | null | undefined;

/**
 * What a provider has counted of an answer until now, after it has reported once more. It counts in totals, so that a count that is
 * smaller than before, zero or missing does not lower what is known (docs/interface/inference.md#usage).
 *
 * @param earlier what is known; undefined for nothing
 * @param later what the provider has reported now
 */
export function withLaterUsage(earlier: CountedUsage | undefined, later: CountedUsage): CountedUsage {
  if (earlier === undefined) return later;
  const [before, now] = [earlier.usage, later.usage];
  const prompt = Math.max(before.prompt_tokens, now.prompt_tokens);
  const completion = Math.max(before.completion_tokens, now.completion_tokens);
  const isPromptUncounted = earlier.isPromptUncounted === true && later.isPromptUncounted === true;
  const isAnswerUncounted = later.isAnswerUncounted === true;
  const isWhole = !isPromptUncounted && !isAnswerUncounted;
  const promptDetails = largest(before.prompt_tokens_details, now.prompt_tokens_details);
  const completionDetails = largest(before.completion_tokens_details, now.completion_tokens_details);
  const usage: TokenUsage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: isWhole ? prompt + completion : Math.max(before.total_tokens, now.total_tokens, prompt + completion),
    ...(promptDetails && { prompt_tokens_details: withinPrompt(promptDetails, prompt) }),
    ...(completionDetails && { completion_tokens_details: completionDetails }),
  };
  const writes: CacheWrites | undefined = largest(cacheWritesOf(before), cacheWritesOf(now));
  return {
    usage: withMessagesFields(usage, { ...messagesFieldsOf(before), ...messagesFieldsOf(now), cache_creation: writes }),
    ...(isPromptUncounted && { isPromptUncounted }),
    ...(isAnswerUncounted && { isAnswerUncounted }),
  };
}

/** A provider may say once that tokens were written to its cache, and then that they were read: they are charged as written. */
function withinPrompt(details: NonNullable<TokenUsage['prompt_tokens_details']>, prompt: number): typeof details {
  const { cached_tokens: cached, cache_write_tokens: written = 0 } = details;
  return cached === undefined
    ? details
    : { ...details, cached_tokens: Math.min(cached, Math.max(prompt - written, 0)) };
}

/** The larger of each two counts of the same name. */
function largest<Of extends object>(one: Of | null | undefined, other: Of | null | undefined): Of | undefined {
  const given: Record<string, number> = {};
  for (const counts of [one, other] as Counts[]) {
    for (const [name, count] of Object.entries(counts ?? {})) {
      if (typeof count === 'number') given[name] = Math.max(given[name] ?? 0, count);
    }
  }
  return (one ?? other) ? (given as Of) : undefined;
}
