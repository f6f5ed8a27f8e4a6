import type { ToolCall, ToolCallDelta } from '../../chat-completion.js';
import { objectOf, placeOf, textOf, walkedListOf } from '../../json-values.js';

/**
 * Reads the tool calls of a whole answer. Some servers send the arguments as an object instead of a text, or no ids.
 *
 * @returns undefined if there are none
 */
export function toolCallsOf(value: unknown): readonly ToolCall[] | undefined {
  const calls = walkedListOf(value).map(toolCallOf);
  return calls.length === 0 ? undefined : calls;
}

function toolCallOf(value: unknown, index: number): ToolCall {
  const call = objectOf(value);
  const called = objectOf(call?.['function']);
  return {
    id: textOf(call?.['id']) ?? `call_${index}`,
    type: 'function',
    function: { name: textOf(called?.['name']) ?? '', arguments: argumentsOf(called?.['arguments']) ?? '{}' },
  };
}

/**
 * Reads the parts of tool calls in a chunk of a stream.
 *
 * @returns undefined if there are none
 */
export function toolCallDeltasOf(value: unknown): readonly ToolCallDelta[] | undefined {
  const deltas = walkedListOf(value).map(toolCallDeltaOf);
  return deltas.length === 0 ? undefined : deltas;
}

function toolCallDeltaOf(value: unknown, position: number): ToolCallDelta {
  const delta = objectOf(value);
  const called = objectOf(delta?.['function']);
  const [id, name, text] = [textOf(delta?.['id']), textOf(called?.['name']), argumentsOf(called?.['arguments'])];
  return {
    index: placeOf(delta?.['index'], position),
    ...(id === undefined ? {} : { id, type: 'function' as const }),
    function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
  };
}

function argumentsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
