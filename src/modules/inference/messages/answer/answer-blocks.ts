import { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { ChatChoice } from '../../../providers/chat-completion.js';
import type { JsonObject } from '../../../providers/json-values.js';
import { inBlockOrder, keptBlockOrderOf } from '../../../providers/protocols/anthropic/block-order.js';
import { thinkingBlocksOf } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { toolUseBlock } from '../../../providers/protocols/anthropic/tool-use.js';

/**
 * Writes what a model says as blocks: where its provider speaks the form in their order, else thoughts, text, calls of tools.
 * Thoughts of a provider of another form have no signature.
 */
export function answerBlocks(choice: ChatChoice): readonly JsonObject[] {
  const { content, refusal, reasoning, reasoning_details: details = [], tool_calls: calls = [] } = choice.message;
  const toolArguments = new ToolArgumentsReader();
  const signed = thinkingBlocksOf(details);
  const unsigned = textBlock(reasoning, (thinking) => ({ type: 'thinking', thinking, signature: '' }));
  const thoughts = signed.length > 0 ? signed : unsigned;
  const called = calls.map((call) => ({ ...toolUseBlock(call, toolArguments), caller: { type: 'direct' } }));
  const order = keptBlockOrderOf(choice);
  const placed = order && inBlockOrder(order, { thoughts, text: content ?? '', calls: called }, newText);
  return placed ?? [...thoughts, ...textBlock(content, newText), ...textBlock(refusal, newText), ...called];
}

/** A block of text. */
export function newText(text: string): JsonObject {
  // Some clients refuse a text without the field, others one with null in it.
  return { type: 'text', text, citations: [] };
}

function textBlock(text: string | null | undefined, block: (text: string) => JsonObject): readonly JsonObject[] {
  return typeof text === 'string' && text !== '' ? [block(text)] : [];
}
