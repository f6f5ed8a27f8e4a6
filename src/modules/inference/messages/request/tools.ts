import type { FunctionTool, ToolChoice } from '../../../providers/chat-completion.js';
import type { JsonObject } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';
import { isCallable } from '../rules/tool-param-rules.js';

/** How the types of searches for tools begin that a provider runs. */
const PROVIDER_SEARCH = 'tool_search_tool_';

/**
 * Reads the tools that the client runs. Those that a search of the provider would find are offered at once, because without that
 * search nothing finds them.
 */
export function toolsOf(tools: readonly JsonObject[]): readonly FunctionTool[] {
  const isSearched = tools.some(({ type }) => typeof type === 'string' && type.startsWith(PROVIDER_SEARCH));
  return tools.filter(isCallable).map((tool) => {
    if (!isSearched) return toolOf(tool);
    const { defer_loading: _deferred, ...offered } = tool;
    return toolOf(offered);
  });
}

/** Reads a tool: one of the caller's own is a function, one that the form defines is kept for providers of the form. */
function toolOf(tool: JsonObject): FunctionTool {
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
