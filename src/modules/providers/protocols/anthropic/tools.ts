import type { ChatRequest, FunctionTool, ToolChoice } from '../../chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText } from '../../json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf } from '../../messages-fields.js';
import { RequestAdjustments } from '../../request-adjustments.js';
import { cacheControlOf } from './cache-control.js';

/**
 * Writes the tools of a request, and which of them are to be called.
 *
 * @param request the tools, the choice among them, and whether several may be called at once
 * @param thinking whether the model thinks: it cannot be made to call a tool then, and decides itself
 * @param adjustments is told of a choice that is not kept
 * @returns the fields of the body; none if there are no tools
 */
export function toolFields(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest,
  thinking: boolean,
  adjustments = new RequestAdjustments(),
): { readonly tools?: readonly JsonObject[]; readonly tool_choice?: JsonObject } {
  const all = (tools ?? []).flatMap(toolOf);
  if (all.length === 0) return {};
  const written = allowedOf(all, choice);
  if (written.length === 0) return { tools: all, tool_choice: { type: 'none' } };
  const chosen = choice == null ? undefined : choiceOf(choice);
  const possible = thinking && (chosen?.type === 'any' || chosen?.type === 'tool') ? { type: 'auto' } : chosen;
  if (possible !== chosen) adjustments.changed('tool_choice', 'refused_while_reasoning');
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

/** The tools that the model may call. The form cannot say which of those that it is offered are allowed. */
function allowedOf(tools: readonly JsonObject[], choice: ToolChoice | null | undefined): readonly JsonObject[] {
  const allowed = allowedToolsOf(choice)?.['tools'];
  if (!Array.isArray(allowed)) return tools;
  const names = new Set(allowed.map((tool) => nonEmptyText(objectOf(objectOf(tool)?.['function'])?.['name'])));
  return tools.filter(({ name }) => names.has(nonEmptyText(name)));
}

function allowedToolsOf(choice: ToolChoice | null | undefined): JsonObject | undefined {
  return typeof choice === 'object' && choice?.type === 'allowed_tools' ? objectOf(choice.allowed_tools) : undefined;
}

function choiceOf(choice: ToolChoice): { readonly type: string; readonly name?: string } {
  if (choice === 'required') return { type: 'any' };
  if (typeof choice === 'string') return { type: choice };
  if (allowedToolsOf(choice)?.['mode'] === 'required') return { type: 'any' };
  return choice.function === undefined ? { type: 'auto' } : { type: 'tool', name: choice.function.name };
}
