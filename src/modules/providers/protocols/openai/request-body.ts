import type { ChatMessage, ChatRequest } from '../../chat-completion.js';
import { objectOf } from '../../json-values.js';
import { reasoningEffortOf } from './reasoning-effort.js';
import { returnedReasoning } from './returned-reasoning.js';
import { withTextResults } from './tool-results.js';

/**
 * Writes a request for a provider that speaks the gateway's own form: as it is, but for the reasoning, for results of tools
 * that are no texts. A stream is asked for its usage, which charges are made from, unless `stream_options` is false: some providers
 * always send it, and refuse to be asked. What only some providers know was left out before (docs/interface/capabilities.md).
 *
 * @param provider the provider of the catalog
 */
export function requestBody(request: ChatRequest, provider: string, stream: boolean): object {
  const { reasoning, stream: _stream, stream_options, messages, ...others } = request;
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  const effort = reasoning == null ? undefined : reasoningEffortOf(reasoning, longest);
  const usage =
    stream_options === false ? {} : { stream_options: { ...objectOf(stream_options), include_usage: true } };
  return {
    ...others,
    messages: withTextResults(messages.map((message) => messageOf(message, provider))),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(stream ? { stream, ...usage } : {}),
  };
}

function messageOf(message: ChatMessage, provider: string): ChatMessage {
  if (message.reasoning === undefined && message.reasoning_details === undefined) return message;
  const { reasoning: _reasoning, reasoning_details: _details, ...others } = message;
  return { ...others, ...returnedReasoning(message, provider) };
}
