import type { ChatRequest } from '../../chat-completion.js';
import { objectOf } from '../../json-values.js';
import type { RequestAdjustments } from '../../request-adjustments.js';
import { withoutKeptBlocks } from './kept-blocks.js';
import { reasoningEffortOf } from './reasoning-effort.js';
import { withTextResults } from './tool-results.js';

/**
 * Writes a request for a provider that speaks the gateway's own form: as it is, but for the reasoning, for results of tools
 * that are no texts. A stream is asked for its usage, which charges are made from, unless `stream_options` is false: some providers
 * always send it, and refuse to be asked. What only some providers know was left out before (docs/interface/capabilities.md).
 *
 * @param adjustments is told what is not sent as it came
 */
export function requestBody(request: ChatRequest, stream: boolean, adjustments?: RequestAdjustments): object {
  const { reasoning, stream: _stream, stream_options, messages, ...others } = request;
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  const effort = reasoning == null ? undefined : reasoningEffortOf(reasoning, longest);
  const usage =
    stream_options === false ? {} : { stream_options: { ...objectOf(stream_options), include_usage: true } };
  return {
    ...others,
    messages: withTextResults(messages.flatMap((message) => withoutKeptBlocks(message, adjustments))),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(stream ? { stream, ...usage } : {}),
  };
}
