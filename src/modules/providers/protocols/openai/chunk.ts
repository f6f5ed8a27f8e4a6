import type { ChatChunk, ChatChunkChoice, ChatDelta } from '../../chat-completion.js';
import { type JsonObject, objectOf, placeOf, walkedListOf, wordOf } from '../../json-values.js';
import { finishReasonsOf } from './finish-reasons.js';
import { reasoningDetailsOf } from './reasoning-details.js';
import { saidOf } from './said.js';
import { toolCallDeltasOf } from './tool-calls.js';
import { countsAnswer, usageOf } from './usage.js';

/**
 * Reads a chunk of a stream.
 *
 * @param chunk parsed JSON, without an error
 * @throws ProviderError for a content that is no text
 */
export function chunkOf(chunk: JsonObject): ChatChunk {
  const [fingerprint, tier] = [wordOf(chunk['system_fingerprint']), wordOf(chunk['service_tier'])];
  const usage = usageOf(chunk['usage']);
  return {
    upstreamId: wordOf(chunk['id']) ?? null,
    choices: walkedListOf(chunk['choices']).map(choiceOf),
    ...(usage === null ? {} : { usage }),
    ...(usage !== null && !countsAnswer(chunk['usage']) && { isAnswerUncounted: true }),
    ...(fingerprint === undefined ? {} : { systemFingerprint: fingerprint }),
    ...(tier === undefined ? {} : { serviceTier: tier }),
  };
}

function choiceOf(value: unknown, position: number): ChatChunkChoice {
  const choice = objectOf(value);
  return {
    index: placeOf(choice?.['index'], position),
    delta: deltaOf(objectOf(choice?.['delta']) ?? {}),
    ...finishReasonsOf(choice?.['finish_reason']),
    ...(choice?.['logprobs'] === undefined ? {} : { logprobs: choice['logprobs'] }),
  };
}

/** Fields that the gateway does not know are handed on; those without a value are not. */
function deltaOf(delta: JsonObject): ChatDelta {
  const read: Record<string, unknown> = {};
  for (const name in delta) {
    const value = delta[name];
    if (value !== null && value !== undefined && !READ_APART.has(name)) read[name] = value;
  }
  const { content, reasoning } = saidOf(delta);
  if (delta['role'] !== undefined) read['role'] = 'assistant';
  if (content !== undefined && content !== null) read['content'] = content;
  if (reasoning !== undefined) read['reasoning'] = reasoning;
  const details = reasoningDetailsOf(delta['reasoning_details']);
  if (details !== undefined) read['reasoning_details'] = details;
  const toolCalls = toolCallDeltasOf(delta['tool_calls']);
  if (toolCalls !== undefined) read['tool_calls'] = toolCalls;
  return read;
}

const READ_APART: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'tool_calls',
]);
