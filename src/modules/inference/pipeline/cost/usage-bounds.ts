import { choicesOf } from '../../../codecs/chat/choice-count.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { Candidate } from '../request/candidate.js';
import { reasoningOf } from '../request/upstream-request.js';

/** The most tokens that a request can have at a candidate, whatever its provider counts. */
export interface UsageBounds {
  readonly prompt: number;
  readonly completion: number;
}

/**
 * The most tokens of a chat (docs/budgets.md#impossible-usage): a prompt as long as the context, and for each choice an answer as long as the
 * request allows, with what the model may think besides, which some providers do not count toward the longest answer.
 */
export function chatUsageBounds(body: ClientChatRequest, { model, endpoint: { row } }: Candidate): UsageBounds {
  const { contextLength, maxCompletionTokens, supportedParameters } = row;
  const longest = Math.min(maxCompletionTokens ?? contextLength, contextLength);
  const named = body.max_completion_tokens ?? body.max_tokens ?? longest;
  // Images and audio may have more tokens than were allowed for the text.
  const drawsImages = model.row.architecture.output_modalities.includes('image');
  const hasMedia = drawsImages || body.modalities?.some((modality) => modality !== 'text') === true;
  const answer = hasMedia ? Math.max(named, longest) : named;
  const canReason = model.row.reasoning !== null || supportedParameters.includes('reasoning');
  const reasoning = canReason ? (reasoningOf(body)?.max_tokens ?? longest) : 0;
  const choice = Math.min(answer + reasoning, contextLength);
  return { prompt: contextLength, completion: choice * choicesOf(body) };
}

/** A usage within its bounds. @returns the same usage where it is within them */
export function withinBounds(usage: TokenUsage, bounds: UsageBounds): TokenUsage {
  const { prompt_tokens: counted, completion_tokens: answered } = usage;
  if (counted <= bounds.prompt && answered <= bounds.completion) return usage;
  const prompt = Math.min(counted, bounds.prompt);
  const completion = Math.min(answered, bounds.completion);
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0, ...media } = usage.prompt_tokens_details ?? {};
  const read = Math.min(cached, prompt);
  return {
    ...usage,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(usage.prompt_tokens_details && {
      prompt_tokens_details: {
        ...most(media, prompt),
        cached_tokens: read,
        cache_write_tokens: Math.min(written, prompt - read),
      },
    }),
    ...(usage.completion_tokens_details && {
      completion_tokens_details: most(usage.completion_tokens_details, completion),
    }),
  };
}

function most<Counts extends object>(counts: Counts, bound: number): Counts {
  const bounded = Object.entries(counts).map(([name, count]: [string, unknown]) => [
    name,
    typeof count === 'number' ? Math.min(count, bound) : count,
  ]);
  return Object.fromEntries(bounded) as Counts;
}
