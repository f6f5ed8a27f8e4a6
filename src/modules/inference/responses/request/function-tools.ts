import type { FunctionTool, ToolChoice } from '../../../providers/chat-completion.js';

/** A function in the form of the Responses interface. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
  readonly strict?: boolean | null;
  readonly [field: string]: unknown;
}

/** Which tool is called, in the form of the Responses interface. */
export type ResponsesToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly name: string }
  | {
      readonly type: 'allowed_tools';
      readonly mode: 'auto' | 'required';
      readonly tools: readonly { readonly name: string }[];
    };

/** The tools of a chat completion, and the choice among them. */
interface ChatTools {
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: ToolChoice;
}

/** Writes the tools of a request as those of a chat completion. Of tools that a choice does not allow none is offered. */
export function chatToolsOf(
  tools: readonly ResponsesTool[] | null | undefined,
  choice: ResponsesToolChoice | null | undefined,
): ChatTools {
  const offered =
    typeof choice === 'object' && choice?.type === 'allowed_tools' ? allowedOf(tools, choice.tools) : tools;
  return {
    ...(offered !== undefined && offered !== null && { tools: offered.map(chatToolOf) }),
    ...(choice !== undefined && choice !== null && { tool_choice: chatChoiceOf(choice) }),
  };
}

function allowedOf(
  tools: readonly ResponsesTool[] | null | undefined,
  allowed: readonly { readonly name: string }[],
): readonly ResponsesTool[] {
  const names = new Set(allowed.map(({ name }) => name));
  return (tools ?? []).filter(({ name }) => names.has(name));
}

function chatToolOf({ name, description, parameters, strict }: ResponsesTool): FunctionTool {
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

function chatChoiceOf(choice: ResponsesToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice;
  return choice.type === 'allowed_tools' ? choice.mode : { type: 'function', function: { name: choice.name } };
}
