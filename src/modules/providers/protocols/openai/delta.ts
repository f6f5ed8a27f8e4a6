import type { ChatDelta } from '../../chat-completion.js';
import type { JsonObject } from '../../json-values.js';
import { reasoningDetailsOf } from './reasoning-details.js';
import { textAndReasoningOf } from './text-and-reasoning.js';
import { toolCallDeltasOf } from './tool-calls.js';

/**
 * Reads what a chunk adds to a message. Fields that the gateway does not know are handed on; those without a value are not.
 *
 * @throws ProviderError for a content that is not a text
 */
export function deltaOf(delta: JsonObject): ChatDelta {
  const read: Record<string, unknown> = {};
  for (const name in delta) {
    const value = delta[name];
    if (value !== null && value !== undefined && !isReadApart(name)) read[name] = value;
  }
  const { content, reasoning } = textAndReasoningOf(delta);
  if (delta['role'] !== undefined) read['role'] = 'assistant';
  if (content !== undefined && content !== null) read['content'] = content;
  if (reasoning !== undefined) read['reasoning'] = reasoning;
  const details = reasoningDetailsOf(delta['reasoning_details']);
  if (details !== undefined) read['reasoning_details'] = details;
  const toolCalls = toolCallDeltasOf(delta['tool_calls']);
  if (toolCalls !== undefined) read['tool_calls'] = toolCalls;
  return read;
}

/** No set, because every chunk of a stream comes here. */
function isReadApart(name: string): boolean {
  switch (name) {
    case 'content':
    case 'role':
    case 'reasoning':
    case 'reasoning_content':
    case 'reasoning_details':
    case 'thinking':
    case 'tool_calls':
      return true;
    default:
      return false;
  }
}
