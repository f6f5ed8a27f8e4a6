import { isObject } from '../../../http/validation/constraints.js';
import { isUrl } from '../chat/media-addresses.js';
import {
  type InputItem,
  INPUT_ITEM_TYPES,
  foundNamesOf,
  foundToolsOf,
  isPartOfAssistant,
  type ResponsesRequest,
  type ResponsesSettings,
  type InputPart,
  type InputReasoning,
  type InputCustomToolCall,
  type InputFunctionCall,
  type InputMessage,
  type InputToolSearchCall,
} from './client-request.js';
import type { ContentPart, ChatMessage, ToolCall } from '../chat/chat-completion.js';
import { detailsOfText, type ReasoningDetail } from '../chat/carried-reasoning.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { type BlockKind, withBlockOrder } from '../anthropic-messages/blocks.js';
import { offeredNameOf, TOOL_SEARCH, chatToolsOf, isRunByCaller, type ResponsesTool } from './tools.js';
import type { ClientChatRequest } from '../chat/client-request.js';

type Item = Readonly<Record<string, unknown>>;

/** How the types of calls, and of their results, end. */
const CALL = '_call';
const OUTPUT = '_output';

/** Items that only the provider that made them can read, or that stand for what it has stored. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
  'item_reference',
]);

/** What the client decides about a call of a provider's tool, or asks of the provider in place of an answer. */
const DEMANDS: ReadonlySet<string> = new Set(['compaction_trigger', 'mcp_approval_response']);

/** Roles of those that ask the model for something. */
const ASKING_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user']);

/**
 * What becomes of an item (docs/interface/responses.md#other-items): `known` ones are read; messages between agents are those of the user; the calls and results of tools that
 * a client runs become those of functions; what an earlier answer had from a provider's own tools is left out; and without the rest
 * something else would be asked.
 */
export type ItemFate = 'known' | 'agent_message' | 'tools' | 'call' | 'result' | 'left_out' | 'refused';

/** Decides what becomes of the items of an input, and reads those of tools that a client runs. */
export class AgentItems {
  /** The ids of calls by all names that results have for them. */
  private readonly calls = new Map<string, string>();
  private readonly answered: ReadonlySet<string>;

  /** @param items of any form */
  constructor(items: readonly unknown[]) {
    const objects = items.filter(isObject);
    for (const item of objects.filter(({ type }) => !isKnown(type) && endsWith(type, CALL))) {
      const [id, ...others] = idsOf(item);
      if (id !== undefined) for (const name of [id, ...others]) this.calls.set(name, id);
    }
    this.answered = new Set(objects.filter(({ type }) => endsWith(type, OUTPUT)).flatMap(idsOf));
  }

  /** @returns what becomes of an item; a type that is no text is refused */
  fateOf(given: object): ItemFate {
    const item = given as Item;
    const { type, role } = item;
    if (isKnown(type)) return 'known';
    if (type === 'agent_message') return 'agent_message';
    if (typeof type !== 'string' || UNREADABLE.has(type) || DEMANDS.has(type)) return 'refused';
    if (type === 'additional_tools') return 'tools';
    if (endsWith(type, OUTPUT)) return this.callOf(item) === undefined ? 'refused' : 'result';
    if (endsWith(type, CALL)) return idsOf(item).some((id) => this.answered.has(id)) ? 'call' : 'left_out';
    return ASKING_ROLES.has(role) ? 'refused' : 'left_out';
  }

  /** Writes a call of a tool that a client runs as that of a function, whose arguments are all that it says. */
  functionCallOf(given: object): InputItem {
    const item = given as Item;
    const { type, id: _id, call_id: _callId, status: _status, ...said } = item;
    const name = String(type).slice(0, -CALL.length);
    return { type: 'function_call', call_id: idsOf(item)[0] ?? '', name, arguments: JSON.stringify(said) };
  }

  /** Writes the result of such a call: its text, the picture that it shows, or else all that it says. */
  functionResultOf(given: object): InputItem {
    const item = given as Item;
    const { type: _type, id: _id, call_id: _callId, status: _status, ...said } = item;
    const { output } = said;
    const call = { type: 'function_call_output' as const, call_id: this.callOf(item) ?? '' };
    if (typeof output === 'string') return { ...call, output };
    const picture = isObject(output) ? output.image_url : undefined;
    if (isUrl(picture)) return { ...call, output: [{ type: 'input_image', image_url: picture }] };
    return { ...call, output: JSON.stringify(Object.keys(said).length === 1 && output !== undefined ? output : said) };
  }

  private callOf(item: Item): string | undefined {
    return idsOf(item)
      .map((id) => this.calls.get(id))
      .find((id) => id !== undefined);
  }
}

/**
 * A message that one agent of a client sends another, as one of the user: its text says who sends it. What a part calls encrypted is a text,
 * unless OpenAI has encrypted it ({@link isCiphertext}): clients call it so in either case.
 */
export function agentMessageOf(given: object): InputMessage {
  const { content } = given as Item;
  const parts = Array.isArray(content) ? (content as readonly unknown[]).map(readablePart) : content;
  return { type: 'message', role: 'user', content: parts as InputMessage['content'] };
}

function readablePart(part: unknown): unknown {
  return isObject(part) && part.type === 'encrypted_content'
    ? { type: 'input_text', text: part.encrypted_content }
    : part;
}

/** Whether a text is what OpenAI has encrypted for its own models (https://github.com/fernet/spec). */
export function isCiphertext(text: unknown): boolean {
  return typeof text === 'string' && /^gAAAA\S*$/.test(text);
}

function isKnown(type: unknown): boolean {
  return type === undefined || INPUT_ITEM_TYPES.some((known) => known === type);
}

function endsWith(type: unknown, end: string): boolean {
  return typeof type === 'string' && type.endsWith(end);
}

/** The id of a call, or of that of a result, and that of the item, by which the results of some calls name them. */
function idsOf({ call_id: callId, id }: Item): string[] {
  return [callId, id].filter((one) => typeof one === 'string');
}

type Content = string | readonly ContentPart[];

/**
 * Writes the content of an item as that of a message. A single text stands by itself, because not every provider takes parts
 * from every role.
 */
function contentOf(content: string | readonly InputPart[]): Content {
  if (typeof content === 'string') return content;
  const parts = content.map(partOf);
  const [first, ...others] = parts;
  return first !== undefined && others.length === 0 && isPlainText(first) ? first.text! : parts;
}

function isPlainText(part: ContentPart): boolean {
  return part.type === 'text' && Object.keys(part).length === 2;
}

function partOf(part: InputPart): ContentPart {
  return { ...translated(part), ...(isBreakpoint(part) && { cache_control: { type: 'ephemeral' } }) };
}

function translated(part: InputPart): ContentPart {
  switch (part.type) {
    case 'input_image': {
      const { image_url: url, detail } = part;
      return { type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } };
    }
    case 'input_file':
      return { type: 'file', file: fileOf(part) };
    case 'input_audio':
      return { type: 'input_audio', input_audio: part['input_audio'] };
    case 'input_video':
      return { type: 'video_url', video_url: { url: part['video_url'] } };
    default:
      return { type: 'text', text: part.text ?? '' };
  }
}

function fileOf({ file_data: data, file_url: url, file_id: id, filename }: InputPart): object {
  const source = data ?? url;
  return {
    ...(typeof source === 'string' && { file_data: source }),
    ...(typeof id === 'string' && { file_id: id }),
    ...(typeof filename === 'string' && { filename }),
  };
}

/** Whether the caller wants the provider to cache the prompt up to a part. */
function isBreakpoint({ prompt_cache_breakpoint: breakpoint }: InputPart): boolean {
  return breakpoint !== undefined && breakpoint !== null;
}

/** What a model has thought, as a message of a chat completion has it. */
interface ReturnedReasoning {
  /** The text; empty if only the provider can read the reasoning. */
  readonly reasoning: string;
  readonly details: readonly ReasoningDetail[];
}

/** The format of reasoning for which none is named. */
const UNKNOWN_FORMAT = 'unknown';

/**
 * Reads an item of reasoning that a client hands back. Reasoning that is neither signed nor encrypted has no details, because
 * its text says everything.
 */
function returnedReasoningOf(item: InputReasoning): ReturnedReasoning {
  const { encrypted_content: encrypted, signature, content, summary } = item;
  const carried = typeof encrypted === 'string' ? detailsOfText(encrypted) : undefined;
  const shown = joinedText(content) || joinedText(summary);
  if (carried !== undefined) {
    const reasoning = shown || carried.map(textOfDetail).join('');
    return { reasoning, details: carried.filter((detail) => !isTextOfReasoning(detail)) };
  }
  const format = item.format ?? UNKNOWN_FORMAT;
  return {
    reasoning: shown,
    details: [
      ...(typeof signature === 'string' ? [{ type: 'reasoning.text', format, text: shown, signature }] : []),
      ...(typeof encrypted === 'string' ? [{ type: 'reasoning.encrypted', format, data: encrypted }] : []),
    ],
  };
}

function joinedText(parts: readonly InputPart[] | null | undefined): string {
  return (parts ?? []).map(({ text }) => text ?? '').join('');
}

function textOfDetail({ text, summary }: ReasoningDetail): string {
  if (typeof text === 'string') return text;
  return typeof summary === 'string' ? summary : '';
}

/** Whether a detail says nothing but its text, for providers that want back the text alone. */
function isTextOfReasoning({ type, format, signature }: ReasoningDetail): boolean {
  return type === 'reasoning.text' && format === undefined && signature === undefined;
}

/**
 * Writes an input as the messages of a chat completion. What the model has said, thought and called between two items of
 * others is one message, as providers expect it: the results of functions follow the message that has all of their calls.
 *
 * @param input as {@link inputIssues} allows it
 * @param adjustments is told which items and parts are left out
 */
export function messagesOfInput(
  input: string | readonly InputItem[],
  adjustments = new RequestAdjustments(),
): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const messages: ChatMessage[] = [];
  let turn: AssistantTurn | undefined;
  for (const item of readItems(input, adjustments)) {
    if (isOfAssistant(item)) {
      turn ??= new AssistantTurn();
      turn.add(item);
      continue;
    }
    if (turn !== undefined) messages.push(turn.message);
    turn = undefined;
    messages.push(messageOf(item));
  }
  return turn === undefined ? messages : [...messages, turn.message];
}

/** The items that are read, each in a form that is known. */
function readItems(input: readonly InputItem[], adjustments: RequestAdjustments): InputItem[] {
  const agents = new AgentItems(input);
  return input.flatMap((item, index): readonly InputItem[] => {
    const path = `input.${index}`;
    switch (agents.fateOf(item)) {
      case 'known':
        return [isOfAssistant(item) ? withKnownParts(item, path, adjustments) : item];
      case 'agent_message':
        adjustments.changed(path, 'item_as_message');
        return [agentMessageOf(item)];
      case 'tools':
        return [];
      case 'call':
        adjustments.changed(path, 'item_as_function_call');
        return [agents.functionCallOf(item)];
      case 'result':
        adjustments.changed(path, 'item_as_function_call');
        return [agents.functionResultOf(item)];
      default:
        adjustments.leftOut(path, 'item_without_counterpart');
        return [];
    }
  });
}

/** A message of the model without parts that have no counterpart in a chat. */
function withKnownParts(item: AssistantItem, path: string, adjustments: RequestAdjustments): AssistantItem {
  if (item.type !== undefined && item.type !== 'message') return item;
  const { content } = item;
  if (!Array.isArray(content)) return item;
  const known = (content as readonly InputPart[]).filter((part, index) => {
    const isKnown = isPartOfAssistant(part.type);
    if (!isKnown) adjustments.leftOut(`${path}.content.${index}`, 'part_without_counterpart');
    return isKnown;
  });
  return known.length === content.length ? item : { ...item, content: known };
}

type CallItem = InputFunctionCall | InputCustomToolCall | InputToolSearchCall;

type AssistantItem = CallItem | InputReasoning | (InputMessage & { readonly role: 'assistant' });

function isOfAssistant(item: InputItem): item is AssistantItem {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'tool_search_call':
    case 'reasoning':
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return false;
    default:
      return item.role === 'assistant';
  }
}

function messageOf(item: Exclude<InputItem, AssistantItem>): ChatMessage {
  if (item.type === 'tool_search_output') {
    return { role: 'tool', tool_call_id: item.call_id, content: foundNamesOf(item) };
  }
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    return { role: 'tool', tool_call_id: item.call_id, content: contentOf(item.output) };
  }
  return { role: item.role, content: contentOf(item.content ?? '') };
}

/** What the model has done in one turn. */
class AssistantTurn {
  private readonly parts: InputPart[] = [];
  private readonly refusals: string[] = [];
  private readonly thoughts: string[] = [];
  private readonly details: ReasoningDetail[] = [];
  private readonly calls: ToolCall[] = [];
  /** Of details, parts and calls, for providers that take thoughts back only in their places. */
  private readonly order: BlockKind[] = [];

  add(item: AssistantItem): void {
    if (item.type === 'reasoning') this.addReasoning(item);
    else if (isCall(item)) this.addCall(item);
    else this.addContent(item.content ?? []);
  }

  get message(): ChatMessage {
    const { refusals, thoughts, details, calls, order } = this;
    const message: ChatMessage = {
      role: 'assistant',
      content: this.content,
      ...(refusals.length > 0 && { refusal: refusals.join('') }),
      ...(thoughts.length > 0 && { reasoning: thoughts.join('') }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return withBlockOrder(message, order);
  }

  private get content(): string | readonly ContentPart[] | null {
    return this.parts.length === 0 ? null : contentOf(this.parts);
  }

  private addContent(content: string | readonly InputPart[]): void {
    const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    for (const part of parts) {
      if (part.type === 'refusal') this.refusals.push(part['refusal'] as string);
      else {
        this.parts.push(part);
        this.order.push('part');
      }
    }
  }

  private addCall(item: CallItem): void {
    this.calls.push(toolCallOf(item));
    this.order.push('call');
  }

  private addReasoning(item: InputReasoning): void {
    const { reasoning, details } = returnedReasoningOf(item);
    if (reasoning !== '') this.thoughts.push(reasoning);
    for (const detail of details) {
      this.details.push(detail);
      this.order.push('thought');
    }
  }
}

function isCall(item: AssistantItem): item is CallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'tool_search_call';
}

function toolCallOf(item: CallItem): ToolCall {
  const name = item.type === 'tool_search_call' ? TOOL_SEARCH : offeredNameOf(item.name, item.namespace);
  return { id: item.call_id, type: 'function', function: { name, arguments: argumentsOf(item) } };
}

function argumentsOf(item: CallItem): string {
  if (item.type === 'custom_tool_call') return JSON.stringify({ input: item.input });
  return typeof item.arguments === 'string' ? item.arguments : JSON.stringify(item.arguments);
}

/** The fields that both forms have, with the same meaning. */
const SHARED_FIELDS = [
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'stream',
  'session_id',
  'trace',
  'inference_geo',
  'debug',
  'metadata',
  'user',
  'temperature',
  'top_p',
  'top_k',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'parallel_tool_calls',
  'service_tier',
  'modalities',
  'image_config',
  'cache_control',
  'prompt_cache_key',
  'prompt_cache_options',
  'safety_identifier',
] as const satisfies readonly (keyof ResponsesSettings)[];

/** The value of `include` with which a client asks for the probabilities of tokens. */
const LOGPROBS = 'message.output_text.logprobs';

/**
 * Writes a request of the Responses interface as a chat completion, which goes through the same steps
 * (docs/interface/responses.md). A field that is absent stays absent.
 *
 * @param request as its class allows it
 * @param adjustments is told which items, parts and tools are left out
 */
export function chatRequestOfResponses(
  request: ResponsesRequest,
  adjustments = new RequestAdjustments(),
): ClientChatRequest {
  noteLeftOutTools(request.tools, adjustments);
  const { reasoning, ...settings } = chatSettingsOfResponses(request, foundToolsOf(request.input));
  return {
    ...settings,
    // Without a word about a summary a client of this form gets none.
    ...(reasoning != null && { reasoning: { summary: null, ...reasoning } }),
    messages: chatMessagesOf(request, adjustments),
  };
}

/**
 * All fields of {@link chatRequestOfResponses} but the conversation: what a preset keeps.
 *
 * @param found the tools that searches of the conversation have found
 */
export function chatSettingsOfResponses(
  request: ResponsesSettings,
  found: readonly ResponsesTool[] = [],
): Omit<ClientChatRequest, 'messages'> {
  const { max_output_tokens: maxTokens, reasoning, text, tools, tool_choice: choice } = request;
  return {
    ...Object.fromEntries(SHARED_FIELDS.flatMap((name) => (name in request ? [[name, request[name]]] : []))),
    ...(isGiven(maxTokens) && { max_tokens: maxTokens }),
    ...(isGiven(reasoning) && { reasoning: withoutNulls(reasoning) }),
    ...(isGiven(text?.format) && { response_format: responseFormatOf(text.format) }),
    ...(isGiven(text?.verbosity) && { verbosity: text.verbosity }),
    ...(wantsLogprobs(request) && { logprobs: true }),
    ...chatToolsOf(tools, choice, found),
  };
}

function noteLeftOutTools(tools: ResponsesRequest['tools'], adjustments: RequestAdjustments): void {
  for (const [index, tool] of (tools ?? []).entries()) {
    if (!isRunByCaller(tool)) adjustments.leftOut(`tools.${index}`, 'tool_of_provider');
  }
}

function chatMessagesOf(
  { instructions, input }: ResponsesRequest,
  adjustments: RequestAdjustments,
): ClientChatRequest['messages'] {
  const messages = messagesOfInput(input, adjustments);
  return isGiven(instructions) ? [{ role: 'system', content: instructions }, ...messages] : messages;
}

function responseFormatOf({ type, ...schema }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return type === 'json_schema' ? { type, json_schema: withoutNulls(schema) } : { type };
}

function wantsLogprobs({ include, top_logprobs: alternatives }: ResponsesSettings): boolean {
  return include?.includes(LOGPROBS) === true || (alternatives ?? 0) > 0;
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

function withoutNulls(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}
