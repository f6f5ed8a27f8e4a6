import type { ClientModelSettings, ClientReasoning } from '../chat/client-request.js';
import { offeredToolsOf, type ResponsesTool, type ResponsesToolChoice } from './tools.js';

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

interface InputFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | readonly InputPart[];
}

/** What a tool has returned that was called with a text. */
interface InputCustomToolCallOutput {
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

interface InputToolSearchOutput {
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

/** The types of items that have tools, which the model can call from then on. */
const WITH_TOOLS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Whether an item has tools: those that a search of the conversation has found, or that its client adds. */
export function hasTools(item: object): item is { readonly tools: readonly ResponsesTool[] } {
  return 'type' in item && WITH_TOOLS.has(item.type);
}

/** The tools that stand in the items of a conversation. */
export function foundToolsOf(input: string | readonly InputItem[]): readonly ResponsesTool[] {
  if (typeof input === 'string') return [];
  return input.flatMap((item) => (hasTools(item) ? item.tools : []));
}

/** What a model reads of a search: the names by which it can call what was found. Their descriptions are those of tools. */
export function foundNamesOf({ tools }: InputToolSearchOutput): string {
  const names = offeredToolsOf([], tools).map(({ offeredName }) => offeredName);
  return names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}`;
}

/** What a request of the Responses interface says besides its input (docs/interface/responses.md). */
export interface ResponsesSettings extends ClientModelSettings {
  readonly instructions?: string | null;
  readonly max_output_tokens?: number | null;
  readonly top_logprobs?: number | null;
  readonly tools?: readonly ResponsesTool[] | null;
  readonly tool_choice?: ResponsesToolChoice | null;
  readonly parallel_tool_calls?: boolean | null;
  readonly max_tool_calls?: number | null;
  readonly text?: {
    readonly format?: Readonly<Record<string, unknown>> | null;
    readonly verbosity?: string | null;
  } | null;
  readonly reasoning?: Omit<ClientReasoning, 'exclude'> | null;
  readonly include?: readonly string[] | null;
  readonly truncation?: 'auto' | 'disabled' | null;
  readonly modalities?: readonly ('text' | 'image')[] | null;
  readonly image_config?: Readonly<Record<string, unknown>> | null;
  readonly prompt_cache_options?: Readonly<Record<string, unknown>> | null;
  readonly cache_control?: Readonly<Record<string, unknown>> | null;
  readonly safety_identifier?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly debug?: Readonly<Record<string, unknown>> | null;
}

/** A response as a client asks for it (docs/interface/responses.md). */
export interface ResponsesRequest extends ResponsesSettings {
  readonly input: string | readonly InputItem[];
}

/** The types of the parts of a message of the model that are read. Others are left out: what it has said besides still counts. */
const PARTS_OF_ASSISTANT: ReadonlySet<unknown> = new Set(['output_text', 'input_text', 'text', 'refusal']);

/** Whether a part of a message of the model is read. */
export function isPartOfAssistant(type: unknown): boolean {
  return PARTS_OF_ASSISTANT.has(type);
}
