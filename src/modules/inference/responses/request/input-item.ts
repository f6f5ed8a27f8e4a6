import type { ResponsesTool } from './offered-tools.js';

/** A part of a message, or of what a function has returned, in the form of the Responses interface. */
export interface InputPart {
  readonly type: string;
  readonly text?: string;
  readonly [field: string]: unknown;
}

/** A message of any role but that of tools. */
export interface InputMessage {
  readonly type?: 'message';
  readonly role: 'system' | 'developer' | 'user' | 'assistant';
  readonly content?: string | readonly InputPart[] | null;
}

/** A function that the model has called. */
export interface InputFunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string | null;
  readonly arguments: string;
}

/** A tool that the model has called with a text of any form. */
export interface InputCustomToolCall {
  readonly type: 'custom_tool_call';
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string | null;
  readonly input: string;
}

/** What a function has returned. */
export interface InputFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | readonly InputPart[];
}

/** What a tool has returned that was called with a text. */
export interface InputCustomToolCallOutput {
  readonly type: 'custom_tool_call_output';
  readonly call_id: string;
  readonly output: string | readonly InputPart[];
}

/** A search for tools, for which the model has called. */
export interface InputToolSearchCall {
  readonly type: 'tool_search_call';
  readonly call_id: string;
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

/** What a search for tools has found. */
export interface InputToolSearchOutput {
  readonly type: 'tool_search_output';
  readonly call_id: string;
  readonly tools: readonly ResponsesTool[];
}

/** What a model has thought in an earlier answer. */
export interface InputReasoning {
  readonly type: 'reasoning';
  readonly summary?: readonly InputPart[] | null;
  readonly content?: readonly InputPart[] | null;
  readonly encrypted_content?: string | null;
  readonly signature?: string | null;
  readonly format?: string | null;
}

/** An item of the input of a request (docs/interface/responses.md#input). */
export type InputItem =
  | InputMessage
  | InputFunctionCall
  | InputCustomToolCall
  | InputFunctionCallOutput
  | InputCustomToolCallOutput
  | InputToolSearchCall
  | InputToolSearchOutput
  | InputReasoning;

/** The kinds of items that an input may have. */
export const INPUT_ITEM_TYPES = [
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
  'tool_search_output',
  'reasoning',
] as const;
