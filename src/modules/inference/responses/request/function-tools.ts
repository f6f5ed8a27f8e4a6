import type { FunctionTool, ToolChoice } from '../../../providers/chat-completion.js';
import {
  type OfferedTool,
  offeredNameOf,
  offeredToolsOf,
  type ResponsesCustomTool,
  type ResponsesTool,
} from './offered-tools.js';

/** A tool, as a choice names it. */
interface NamedTool {
  readonly name: string;
  readonly namespace?: string | null;
}

/** Which tool is called, in the form of the Responses interface. */
export type ResponsesToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | ({ readonly type: 'function' | 'custom' } & NamedTool)
  | { readonly type: 'allowed_tools'; readonly mode: 'auto' | 'required'; readonly tools: readonly NamedTool[] };

/** The tools of a chat completion, and the choice among them. */
interface ChatTools {
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: ToolChoice;
}

/** The parameters of a function that stands for a tool with a text of any form. */
const TEXT_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/**
 * Writes the tools of a request as those of a chat completion. Of tools that a choice does not allow none is offered.
 *
 * @param found by searches of the conversation
 */
export function chatToolsOf(
  tools: readonly ResponsesTool[] | null | undefined,
  choice: ResponsesToolChoice | null | undefined,
  found: readonly ResponsesTool[] = [],
): ChatTools {
  const all = offeredToolsOf(tools, found);
  // Providers refuse an empty list, and a choice without a list.
  if (all.length === 0 && (tools ?? []).length > 0) return {};
  const offered = typeof choice === 'object' && choice?.type === 'allowed_tools' ? allowedOf(all, choice.tools) : all;
  return {
    ...((found.length > 0 || (tools !== undefined && tools !== null)) && { tools: offered.map(chatToolOf) }),
    ...(choice !== undefined && choice !== null && { tool_choice: chatChoiceOf(choice) }),
  };
}

function allowedOf(tools: readonly OfferedTool[], allowed: readonly NamedTool[]): readonly OfferedTool[] {
  const names = new Set(allowed.map(({ name, namespace }) => offeredNameOf(name, namespace)));
  return tools.filter(({ offeredName }) => names.has(offeredName));
}

function chatToolOf({ offeredName: name, tool }: OfferedTool): FunctionTool {
  if (tool.type === 'custom') {
    return { type: 'function', function: { name, description: descriptionOf(tool), parameters: TEXT_PARAMETERS } };
  }
  const { description, parameters } = tool;
  const strict = tool.type === 'function' ? tool.strict : undefined;
  return {
    type: 'function',
    function: {
      name,
      ...(typeof description === 'string' && { description }),
      ...(parameters !== undefined && parameters !== null && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  };
}

/** A grammar is only described: most providers hold no text to one. */
function descriptionOf({ description, format }: ResponsesCustomTool): string {
  const given = description ?? '';
  if (format?.type !== 'grammar') return given;
  return `${given}\n\nThe input matches this grammar (${String(format.syntax)}):\n${String(format.definition)}`.trimStart();
}

function chatChoiceOf(choice: ResponsesToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type === 'allowed_tools') return choice.mode;
  return { type: 'function', function: { name: offeredNameOf(choice.name, choice.namespace) } };
}
