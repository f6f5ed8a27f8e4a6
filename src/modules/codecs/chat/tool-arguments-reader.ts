import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { SharedJsonBounds } from '../../../http/input/shared-json-bounds.js';
import type { ToolCall } from './chat-completion.js';
import { type JsonObject, objectOf } from './json-values.js';

/**
 * Parses the JSON in the arguments of tool calls, which the bounds of the answer around them do not count. All that one reader parses is
 * bounded together like one request body, so that a client can send back every call that it got.
 */
export class ToolArgumentsReader {
  private readonly bounds = new SharedJsonBounds();

  /** Parses arguments. @returns undefined for text that is not JSON, and for JSON that exceeds a bound together with what was parsed before */
  parse(text: string): unknown {
    return this.bounds.exceededBy(text) === undefined ? parsedIfJson(text) : undefined;
  }
}

/** Whether the text of arguments says that there are none: some servers write the value null for it. */
export function areNone(text: string): boolean {
  const said = text.trim();
  return said === '' || said === 'null';
}

/** What was read of the arguments of calls: a request is written again for each endpoint that is tried. */
const READ = new WeakMap<ToolCall, JsonObject>();

/**
 * The arguments of a call for forms that have an object there: none are an empty one. Those that are no object, which providers
 * refuse, or exceed the bounds of a body, become the one field of an object.
 *
 * @param toolArguments reads the arguments of all calls of an answer; those of a request are bounded together before
 */
export function inputOfCall(call: ToolCall, toolArguments = new ToolArgumentsReader()): JsonObject {
  const known = READ.get(call);
  if (known !== undefined) return known;
  const text = call.function.arguments;
  const input = areNone(text) ? {} : (objectOf(toolArguments.parse(text)) ?? { arguments: text });
  READ.set(call, input);
  return input;
}
