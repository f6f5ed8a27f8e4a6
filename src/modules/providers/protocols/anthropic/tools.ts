import type { ChatRequest, FunctionTool, ToolChoice } from '../../chat-completion.js';
import type { JsonObject } from '../../json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf } from '../../messages-fields.js';
import { cacheControlOf } from './cache-control.js';

/**
 * Writes the tools of a request, and which of them are to be called.
 *
 * @param thinking whether the model thinks: it cannot be made to call a tool then, and decides itself
 * @returns the fields of the body; none if there are no tools
 */
export function toolFields(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest,
  thinking: boolean,
): { readonly tools?: readonly JsonObject[]; readonly tool_choice?: JsonObject } {
  const written = (tools ?? []).flatMap(toolOf);
  if (written.length === 0) return {};
  const chosen = choice == null ? undefined : choiceOf(choice);
  const possible = thinking && (chosen?.type === 'any' || chosen?.type === 'tool') ? { type: 'auto' } : chosen;
  if (parallel !== false || possible?.type === 'none') {
    return { tools: written, ...(possible === undefined ? {} : { tool_choice: possible }) };
  }
  return { tools: written, tool_choice: { type: 'auto', ...possible, disable_parallel_tool_use: true } };
}

function toolOf(tool: FunctionTool): readonly JsonObject[] {
  // Only the Messages form has tools that the provider defines and its client runs.
  if (tool.function === undefined) return tool[MESSAGES_FIELDS] === undefined ? [] : [tool[MESSAGES_FIELDS]];
  const { name, description, parameters, strict } = tool.function;
  return [
    {
      name,
      ...(description == null ? {} : { description }),
      input_schema: parameters ?? { type: 'object', properties: {} },
      ...(strict === true ? { strict } : {}),
      ...cacheControlOf(tool),
      ...messagesFieldsOf(tool),
    },
  ];
}

function choiceOf(choice: ToolChoice): { readonly type: string; readonly name?: string } {
  if (choice === 'required') return { type: 'any' };
  if (typeof choice === 'string') return { type: choice };
  return choice.function === undefined ? { type: 'auto' } : { type: 'tool', name: choice.function.name };
}
