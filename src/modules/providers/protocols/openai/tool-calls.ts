import type { ToolCall, ToolCallDelta } from '../../chat-completion.js';
import { objectOf, placeOf, nonEmptyText, walkedListOf } from '../../json-values.js';
import { newToolCallId } from '../../tool-call-id.js';
import { otherFieldsOfCall, otherFieldsOfFunction } from './call-fields.js';

/**
 * Reads the tool calls of a whole answer. Some servers send the arguments as an object instead of a text, or no ids.
 * Fields that the gateway does not know are handed on.
 *
 * @param areWhole whether the answer was not cut, so that a call without arguments has none
 * @returns undefined if there are none
 */
export function toolCallsOf(value: unknown, areWhole: boolean): readonly ToolCall[] | undefined {
  // Clients parse the arguments, and an empty text is not JSON.
  const none = areWhole ? '{}' : '';
  const calls = walkedListOf(value).map((call) => toolCallOf(call, none));
  return calls.length === 0 ? undefined : calls;
}

function toolCallOf(value: unknown, none: string): ToolCall {
  const call = objectOf(value);
  const called = objectOf(call?.['function']);
  return {
    id: nonEmptyText(call?.['id']) ?? newToolCallId(),
    type: 'function',
    function: {
      name: nonEmptyText(called?.['name']) ?? '',
      arguments: nonEmptyText(argumentsOf(called?.['arguments'])) ?? none,
      ...otherFieldsOfFunction(called),
    },
    ...otherFieldsOfCall(call),
  };
}

/**
 * Reads the parts of tool calls in a chunk of a stream. Fields that the gateway does not know are handed on.
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
  const [id, name, text] = [
    nonEmptyText(delta?.['id']),
    nonEmptyText(called?.['name']),
    argumentsOf(called?.['arguments']),
  ];
  return {
    index: placeOf(delta?.['index'], position),
    ...(id === undefined ? {} : { id }),
    function: {
      ...(name === undefined ? {} : { name }),
      ...(text === undefined ? {} : { arguments: text }),
      ...otherFieldsOfFunction(called),
    },
    ...otherFieldsOfCall(delta),
  };
}

function argumentsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
