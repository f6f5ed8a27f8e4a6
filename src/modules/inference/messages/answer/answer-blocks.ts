import { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { ChatChoice } from '../../../providers/chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../../providers/json-values.js';
import { inBlockOrder, keptBlockOrderOf } from '../../../providers/protocols/anthropic/block-order.js';
import { thinkingBlocksOf } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { toolUseBlock } from '../../../providers/protocols/anthropic/tool-use.js';
import { haveOpaqueState, KeptDetails } from '../../carried-reasoning.js';

/**
 * Writes what a model says as blocks: where its provider speaks the form in their order, else thoughts, text, calls of tools.
 * Thoughts of a provider of another form have none of its signatures.
 */
export function answerBlocks(choice: ChatChoice): readonly JsonObject[] {
  const { content, refusal, reasoning, reasoning_details: details = [], tool_calls: calls = [] } = choice.message;
  const toolArguments = new ToolArgumentsReader();
  const signed = thinkingBlocksOf(details);
  const thoughts = signed.length > 0 ? signed : thoughtsOfOtherForms(reasoning, details);
  const called = calls.map((call) => ({ ...toolUseBlock(call, toolArguments), caller: { type: 'direct' } }));
  const order = keptBlockOrderOf(choice);
  const placed = order && inBlockOrder(order, { thoughts, text: content ?? '', calls: called }, newText);
  return placed ?? [...thoughts, ...textBlock(content, newText), ...textBlock(refusal, newText), ...called];
}

/** The thoughts of a provider of another form as one block, with what it wants back of them in the place of a signature. */
function thoughtsOfOtherForms(text: string | null | undefined, details: readonly JsonObject[]): readonly JsonObject[] {
  const kept = new KeptDetails();
  for (const detail of details) kept.add(detail);
  const signature = haveOpaqueState(kept.all) ? kept.carried : undefined;
  if (signature === undefined && nonEmptyText(text) === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', signature: signature ?? '' }];
}

/** A block of text. */
export function newText(text: string): JsonObject {
  // Some clients refuse a text without the field, others one with null in it.
  return { type: 'text', text, citations: [] };
}

function textBlock(text: string | null | undefined, block: (text: string) => JsonObject): readonly JsonObject[] {
  return typeof text === 'string' && text !== '' ? [block(text)] : [];
}
