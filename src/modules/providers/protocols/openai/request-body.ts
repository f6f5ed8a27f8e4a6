import type { ChatMessage, ChatRequest } from '../../chat-completion.js';
import { objectOf } from '../../json-values.js';
import { longestAnswerField, messageFor, withoutUnknownMarks } from './provider-fields.js';
import { reasoningEffortOf } from './reasoning-effort.js';
import { returnedReasoning } from './returned-reasoning.js';
import { withTextResults } from './tool-results.js';

/**
 * Writes a request for a provider that speaks the gateway's own form: as it is, but for the reasoning, for results of tools
 * that are no texts, and for what only some providers of the form know. A stream is always asked for its usage, which charges are
 * made from.
 *
 * @param provider the provider of the catalog
 */
export function requestBody(request: ChatRequest, provider: string, stream: boolean): object {
  const {
    reasoning,
    stream: _stream,
    stream_options,
    messages,
    tools,
    max_tokens,
    max_completion_tokens,
    ...others
  } = request;
  const longest = max_completion_tokens ?? max_tokens ?? undefined;
  const effort = reasoning == null ? undefined : reasoningEffortOf(reasoning, longest);
  const body = {
    ...others,
    ...longestAnswerField(longest, provider),
    messages: withTextResults(messages.map((message) => messageOf(message, provider))),
    ...(tools == null ? {} : { tools: tools.map((tool) => withoutUnknownMarks(tool, provider)) }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(stream ? { stream, stream_options: { ...objectOf(stream_options), include_usage: true } } : {}),
  };
  return withoutUnknownMarks(body, provider);
}

function messageOf(message: ChatMessage, provider: string): ChatMessage {
  const known = messageFor(message, provider);
  if (message.reasoning === undefined && message.reasoning_details === undefined) return known;
  const { reasoning: _reasoning, reasoning_details: _details, ...others } = known;
  return { ...others, ...returnedReasoning(message, provider) };
}
