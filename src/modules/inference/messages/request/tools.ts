import type { FunctionTool, ToolChoice } from '../../../providers/chat-completion.js';
import type { JsonObject } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';

/** Reads a tool: one of the caller's own is a function, one that the form defines is kept for providers of the form. */
export function toolOf(tool: JsonObject): FunctionTool {
  const { type, name, description, input_schema: parameters, strict, ...others } = tool;
  if (typeof type === 'string' && type !== 'custom') return withMessagesFields<FunctionTool>({ type }, tool);
  const described = {
    name: String(name),
    ...(typeof description === 'string' && { description }),
    parameters: parameters as JsonObject,
    ...(strict === true && { strict }),
  };
  return withMessagesFields<FunctionTool>({ type: 'function', function: described }, others);
}

/** Reads which tool is to be called, and whether several may be at once. */
export function choiceFields(choice: JsonObject | null | undefined): {
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
} {
  if (choice === undefined || choice === null) return {};
  return {
    tool_choice: choiceOf(choice),
    ...(choice['disable_parallel_tool_use'] === true && { parallel_tool_calls: false }),
  };
}

function choiceOf({ type, name }: JsonObject): ToolChoice {
  switch (type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: String(name) } };
    default:
      return type === 'none' ? 'none' : 'auto';
  }
}
