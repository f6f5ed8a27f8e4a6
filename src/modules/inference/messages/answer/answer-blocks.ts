import { CalledJson } from '../../../providers/called-json.js';
import type { AssistantMessage } from '../../../providers/chat-completion.js';
import type { JsonObject } from '../../../providers/json-values.js';
import { thinkingBlocksOf } from '../../../providers/protocols/anthropic/thinking-blocks.js';
import { toolUseBlock } from '../../../providers/protocols/anthropic/tool-use.js';

/**
 * Writes what a model says as blocks, in the order of the form: thoughts, text, calls of tools. Thoughts of a provider of another
 * form have no signature.
 */
export function answerBlocks(message: AssistantMessage): readonly JsonObject[] {
  const { content, refusal, reasoning, reasoning_details: details = [], tool_calls: calls = [] } = message;
  const json = new CalledJson();
  const signed = thinkingBlocksOf(details);
  const unsigned = textBlock(reasoning, (thinking) => ({ type: 'thinking', thinking, signature: '' }));
  return [
    ...(signed.length > 0 ? signed : unsigned),
    ...textBlock(content, newText),
    ...textBlock(refusal, newText),
    ...calls.map((call) => ({ ...toolUseBlock(call, json), caller: { type: 'direct' } })),
  ];
}

/** A block of text. */
export function newText(text: string): JsonObject {
  // Clients refuse a text without the field, or one whose field is null: some the one, some the other.
  return { type: 'text', text, citations: [] };
}

function textBlock(text: string | null | undefined, block: (text: string) => JsonObject): readonly JsonObject[] {
  return typeof text === 'string' && text !== '' ? [block(text)] : [];
}
