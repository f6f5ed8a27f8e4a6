import type { ToolCall } from '../../chat-completion.js';
import { objectOf, parsed } from '../../json-values.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import type { ContentBlock } from './content-blocks.js';

/** The id of a tool call as the provider takes it; those of other providers may have more characters. */
export function toolUseId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** Writes a tool call. Arguments that are no object, which the provider refuses, become the one field of an object. */
export function toolUseBlock(call: ToolCall): ContentBlock {
  const {
    id,
    function: { name, arguments: text },
  } = call;
  const input = text.trim() === '' ? {} : (objectOf(parsed(text)) ?? { arguments: text });
  return { type: 'tool_use', id: toolUseId(id), name, input, ...messagesFieldsOf(call) };
}
