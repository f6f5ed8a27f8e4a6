import type { ChatMessage, ChatRequest } from '../../chat-completion.js';
import { objectOf } from '../../json-values.js';
import { reasoningEffortOf } from './reasoning-effort.js';
import { returnedReasoning } from './returned-reasoning.js';
import { withTextResults } from './tool-results.js';

/**
 * Writes a request for a provider that speaks the gateway's own form: as it is, but for the reasoning and for results of tools
 * that are no texts. A stream is always
 * asked for its usage, which charges are made from.
 *
 * @param provider the provider of the catalog
 */
export function requestBody(request: ChatRequest, provider: string, stream: boolean): object {
  const { reasoning, stream: _stream, stream_options, messages, ...others } = request;
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  const effort = reasoning == null ? undefined : reasoningEffortOf(reasoning, longest);
  return {
    ...others,
    messages: withTextResults(messages).map((message) => messageOf(message, provider)),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(stream ? { stream, stream_options: { ...objectOf(stream_options), include_usage: true } } : {}),
  };
}

function messageOf(message: ChatMessage, provider: string): ChatMessage {
  if (message.reasoning === undefined && message.reasoning_details === undefined) return message;
  const { reasoning: _reasoning, reasoning_details: _details, ...others } = message;
  return { ...others, ...returnedReasoning(message, provider) };
}
