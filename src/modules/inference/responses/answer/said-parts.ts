import type { AssistantMessage, ChatChoice, ChatDelta } from '../../../providers/chat-completion.js';
import { inBlockOrder, keptBlockOrderOf } from '../../../providers/protocols/anthropic/block-order.js';

/**
 * What a whole answer says, in the parts that a stream of it would bring: in the order of its provider, which wants its thoughts
 * back as they stood, where that is another one than thoughts, text and calls.
 */
export function saidParts(choice: ChatChoice): readonly (AssistantMessage | ChatDelta)[] {
  const { message } = choice;
  const order = keptBlockOrderOf(choice);
  if (order === undefined) return [message];
  const thoughts = (message.reasoning_details ?? []).map((detail) => ({ reasoning_details: [detail] }));
  const calls = (message.tool_calls ?? []).map((call, index) => ({ tool_calls: [{ index, ...call }] }));
  const blocks = { thoughts, text: message.content ?? '', calls };
  return inBlockOrder(order, blocks, (content) => ({ content })) ?? [message];
}
