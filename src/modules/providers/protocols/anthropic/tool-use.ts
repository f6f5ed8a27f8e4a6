import { ToolArgumentsReader } from '../../tool-arguments-reader.js';
import type { ToolCall } from '../../chat-completion.js';
import { type JsonObject, objectOf } from '../../json-values.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import { portableCallId } from '../tool-call-ids.js';
import type { ContentBlock } from './content-blocks.js';

/** What was read of the arguments of calls: a request is written again for each endpoint that is tried. */
const READ = new WeakMap<ToolCall, JsonObject>();

/**
 * Writes a tool call. Arguments that are not an object, which the provider refuses, or exceed the bounds of a body, become the one
 * field of an object.
 *
 * @param toolArguments reads the arguments of all calls of an answer; those of a request are bounded together before
 */
export function toolUseBlock(call: ToolCall, toolArguments = new ToolArgumentsReader()): ContentBlock {
  let input = READ.get(call);
  if (input === undefined) {
    input = inputOf(call.function.arguments, toolArguments);
    READ.set(call, input);
  }
  return { type: 'tool_use', id: portableCallId(call.id), name: call.function.name, input, ...messagesFieldsOf(call) };
}

function inputOf(text: string, toolArguments: ToolArgumentsReader): JsonObject {
  return text.trim() === '' ? {} : (objectOf(toolArguments.parse(text)) ?? { arguments: text });
}
