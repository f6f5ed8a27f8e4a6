import type { ChatMessage } from '../chat/chat-completion.js';
import { knownModelOf, type WithKnownModel } from '../chat/known-model.js';
import { ANTHROPIC_FORMAT } from '../chat/thought-signatures.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** The `format` of reasoning_details that other models than those of Anthropic gave, and that are sent back to them alone. */
export const CONVERSE_FORMAT = 'amazon-converse-v1';

/**
 * The `format` of the thoughts of a model. Those of Anthropic's models are theirs at every provider, so that a conversation can go on at
 * another one.
 */
export function thoughtsFormatOf(request: WithKnownModel): string {
  return knownModelOf(request).model_fields?.reasoning === 'thinking' ? ANTHROPIC_FORMAT : CONVERSE_FORMAT;
}

/**
 * A message with thoughts of one format alone, in that in which the Messages form writes them.
 *
 * @param adjustments is told of those that are left out
 */
export function ownThoughtsOf(message: ChatMessage, format: string, adjustments: RequestAdjustments): ChatMessage {
  const details = message.reasoning_details ?? [];
  if (details.length === 0 || format === ANTHROPIC_FORMAT) return message;
  const own = details.filter((detail) => detail['format'] === format);
  if (own.length < details.length) adjustments.leftOut('messages.*.reasoning_details', 'thoughts_of_other_provider');
  return { ...message, reasoning_details: own.map((detail) => ({ ...detail, format: ANTHROPIC_FORMAT })) };
}
