import type { CountedUsage, TokenUsage } from '../chat/chat-completion.js';
import { countOf, type JsonObject, listOf, objectOf } from '../chat/json-values.js';

const PROMPT_DETAILS = ['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens', 'video_tokens'] as const;

const COMPLETION_DETAILS = [
  'reasoning_tokens',
  'audio_tokens',
  'image_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
] as const;

/** What a provider counted, under either name that servers of this form have for it. */
interface Counts {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  readonly total: number | undefined;
}

/**
 * Reads the tokens that an answer, or a chunk of one, counts: beside its choices, or where Groq and Moonshot write them. What stands in
 * one of several choices may not count the others.
 *
 * @returns undefined if it counts nothing
 */
export function usageIn(answer: JsonObject): CountedUsage | undefined {
  const counted = countedUsageOf(answer['usage']) ?? countedUsageOf(objectOf(answer['x_groq'])?.['usage']);
  if (counted !== undefined) return counted;
  const choices = listOf(answer['choices']);
  const choice = objectOf(choices[0]);
  const ofChoice = countedUsageOf(choice?.['usage']);
  if (ofChoice === undefined) return undefined;
  const isOnly = choices.length === 1 && (choice!['index'] ?? 0) === 0;
  return isOnly ? ofChoice : { ...ofChoice, isAnswerUncounted: true };
}

/**
 * Reads the tokens that a provider counted. Some leave the reasoning out of the completion, and count it in the total or beside it;
 * what the total has beyond the prompt is the completion then, and reasoning that is more than the completion is added to it, so that
 * nothing is left uncharged.
 *
 * @returns undefined if it counted nothing
 */
export function countedUsageOf(value: unknown): CountedUsage | undefined {
  const usage = objectOf(value);
  if (usage === undefined) return undefined;
  const { prompt, completion, total } = countsIn(usage);
  if ((prompt ?? completion ?? total) === undefined) return undefined;
  return {
    usage: tokensOf(usage, { prompt, completion, total }),
    ...(prompt === undefined && { isPromptUncounted: true }),
    ...(completion === undefined && (prompt === undefined || total === undefined) && { isAnswerUncounted: true }),
  };
}

function countsIn(usage: JsonObject): Counts {
  const prompt = promptIn(usage);
  const completion = countOf(usage['completion_tokens']) ?? countOf(usage['output_tokens']);
  const total = countOf(usage['total_tokens']);
  const hasRest = prompt === undefined && completion !== undefined && total !== undefined && total > completion;
  return { prompt: hasRest ? total - completion : prompt, completion, total };
}

/** The tokens of the prompt. What was read from the cache can only be more where they leave it out, as xAI's do: it is added then. */
function promptIn(usage: JsonObject): number | undefined {
  const prompt = countOf(usage['prompt_tokens']) ?? countOf(usage['input_tokens']);
  const cached = cachedIn(usage, detailsOf(usage, 'prompt', 'input')) ?? 0;
  return prompt !== undefined && cached > prompt ? prompt + cached : prompt;
}

/** The cached tokens stand in one of four places. */
function cachedIn(usage: JsonObject, details: JsonObject | undefined): number | undefined {
  return (
    countOf(details?.['cached_tokens']) ??
    countOf(usage['prompt_cache_hit_tokens']) ??
    countOf(usage['cached_tokens']) ??
    countOf(usage['cache_read_input_tokens'])
  );
}

/** Without a count of the prompt the total may be more than the two parts, because it is not known whose the rest is. */
function tokensOf(usage: JsonObject, { prompt: counted, completion: stated = 0, total = 0 }: Counts): TokenUsage {
  const prompt = counted ?? 0;
  const promptDetails = promptDetailsOf(usage, prompt);
  const completionDetails = completionDetailsOf(usage);
  const reasoning = completionDetails?.reasoning_tokens ?? 0;
  const said = reasoning > stated ? stated + reasoning : stated;
  const completion = counted === undefined ? said : Math.max(stated, total > prompt + stated ? total - prompt : said);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: counted === undefined ? Math.max(total, completion) : prompt + completion,
    ...(promptDetails === undefined ? {} : { prompt_tokens_details: promptDetails }),
    ...(completionDetails === undefined ? {} : { completion_tokens_details: completionDetails }),
  };
}

/** The tokens of the reasoning stand in one of two places. */
function completionDetailsOf(usage: JsonObject): TokenUsage['completion_tokens_details'] | undefined {
  const details = countsOf(detailsOf(usage, 'completion', 'output'), COMPLETION_DETAILS);
  const reasoning = details?.reasoning_tokens ?? countOf(usage['reasoning_tokens']);
  return reasoning === undefined ? details : { ...details, reasoning_tokens: reasoning };
}

function detailsOf(usage: JsonObject, ...names: readonly string[]): JsonObject | undefined {
  return names.map((name) => objectOf(usage[`${name}_tokens_details`])).find((details) => details !== undefined);
}

/** The cached tokens, together with those written, are never more than the prompt. */
function promptDetailsOf(usage: JsonObject, prompt: number): TokenUsage['prompt_tokens_details'] | undefined {
  const details = countsOf(detailsOf(usage, 'prompt', 'input'), PROMPT_DETAILS);
  const written = details?.cache_write_tokens ?? countOf(usage['cache_creation_input_tokens']);
  const cached = cachedIn(usage, detailsOf(usage, 'prompt', 'input'));
  if ((details ?? cached ?? written) === undefined) return undefined;
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
