import { type JsonObject, objectOf, nonEmptyText, wordOf } from '../chat/json-values.js';
import type {
  ChatMessage,
  ContentPart,
  ToolCall,
  ReasoningEffort,
  FunctionTool,
  ToolChoice,
} from '../chat/chat-completion.js';
import { KEPT_BLOCK, MESSAGES_FIELDS, withMessagesFields } from '../chat/messages-fields.js';
import { type BlockKind, withBlockOrder, encryptedReasoning, reasoningText } from './blocks.js';
import { detailsOfText } from '../chat/carried-reasoning.js';
import type { ClientChatRequest, ClientReasoning, ClientSettings } from '../chat/client-request.js';
import { isOfToolSearch, isToolSearch } from '../chat/tool-search.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';

/** What a request of the Messages dialect says besides its model and its conversation (docs/interface/messages.md). */
export interface MessagesSettings extends ClientSettings {
  readonly max_tokens?: number | null;
  readonly system?: BlockContent | null;
  readonly stop_sequences?: readonly string[] | null;
  readonly tools?: readonly JsonObject[] | null;
  readonly tool_choice?: JsonObject | null;
  readonly thinking?: JsonObject | null;
  readonly output_config?: JsonObject | null;
  readonly output_format?: JsonObject | null;
  readonly context_management?: JsonObject | null;
  readonly cache_control?: JsonObject | null;
  readonly metadata?: JsonObject | null;
  readonly service_tier?: string | null;
  readonly speed?: 'fast' | 'standard' | null;
  readonly models?: readonly string[] | null;
  readonly fallbacks?: readonly JsonObject[] | null;
  readonly user?: string | null;
  readonly [name: string]: unknown;
}

/** A message as a client asks for it (docs/interface/messages.md). */
export interface MessagesRequest extends MessagesSettings {
  readonly model: string;
  readonly messages: readonly MessageParam[];
}

/** Tools that the dialect defines and the client runs. Those that a provider runs cost what no usage tells. */
const RUN_BY_CLIENT = /^(bash|computer|memory|text_editor)_\d{8}$/;

/** Whether a type is that of a tool that the dialect defines and the client runs. */
export function isRunByClient(type: unknown): boolean {
  return typeof type === 'string' && RUN_BY_CLIENT.test(type);
}

/** Whether a tool is one that the client runs; others are left out. */
export function isCallable({ type }: JsonObject): boolean {
  return type === undefined || type === null || type === 'custom' || isRunByClient(type);
}

/** A block of a message, a result or an instruction, after its form was checked. */
type Block = JsonObject & { readonly type: string };

/** What may stand where blocks can: a text, or blocks. */
export type BlockContent = string | readonly Block[];

/** A message of a request, after its form was checked. */
export interface MessageParam {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: BlockContent;
}

/**
 * Reads a content of texts, images, documents and search results as that of a chat message. A text alone stays one text, which
 * every provider takes.
 */
function contentOf(content: BlockContent): NonNullable<ChatMessage['content']> {
  if (typeof content === 'string') return content;
  const parts = content.flatMap(partsOf);
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.type === 'text' && first[MESSAGES_FIELDS] === undefined;
  return isPlain ? (first.text ?? '') : parts;
}

/** Reads a block as parts; the last part gets the block's mark for the cache. */
function partsOf(block: Block): readonly ContentPart[] {
  const parts = unmarkedPartsOf(block);
  const last = parts.at(-1);
  if (last === undefined) return parts;
  const mark = withMessagesFields(last, { ...last[MESSAGES_FIELDS], cache_control: objectOf(block['cache_control']) });
  return [...parts.slice(0, -1), mark];
}

/** A tool that a search has found: a text for every form, and the reference again for this one. */
function toolReference(name: string): ContentPart {
  const text = `This tool can be called now: ${name}`;
  return withMessagesFields<ContentPart>({ type: 'text', text }, { type: 'tool_reference', tool_name: name });
}

/** A block that only providers of this form know, whole. Content filters read all of it (docs/interface/messages.md#content). */
function keptBlock(block: Block): ContentPart {
  return withMessagesFields<ContentPart>({ type: KEPT_BLOCK }, block);
}

function unmarkedPartsOf(block: Block): readonly ContentPart[] {
  switch (block.type) {
    case 'image':
      return [{ type: 'image_url', image_url: { url: urlOf(objectOf(block['source']) ?? {}) } }];
    case 'document':
      return documentParts(block);
    case 'search_result':
      return [{ type: 'text', text: searchResult(block) }];
    case 'tool_reference':
      return [toolReference(String(block['tool_name']))];
    case 'text':
      return [textPart(block['text'])];
    default:
      return [keptBlock(block)];
  }
}

/** What describes a document goes before it as text, so that content filters see it. */
function documentParts({ source: value, title, context }: Block): readonly ContentPart[] {
  const source = objectOf(value) ?? {};
  const description = (texts: readonly unknown[]): readonly ContentPart[] =>
    texts.flatMap((text) => (nonEmptyText(text) === undefined ? [] : [textPart(text)]));
  switch (source['type']) {
    case 'text':
      return [...description([title, context]), withMessagesFields(textPart(source['data']), { type: 'document' })];
    case 'content': {
      const content = contentOf(source['content'] as BlockContent);
      return [...description([title, context]), ...(typeof content === 'string' ? [textPart(content)] : content)];
    }
    default:
      return [...description([context]), { type: 'file', file: fileOf(source, title) }];
  }
}

function fileOf(source: JsonObject, title: unknown): JsonObject {
  const data = source['type'] === 'file' ? { file_id: source['file_id'] } : { file_data: urlOf(source) };
  return { ...data, ...(nonEmptyText(title) !== undefined && { filename: title }) };
}

/** An address, or the media themselves as a data URL. */
function urlOf(source: JsonObject): string {
  if (source['type'] === 'url') return String(source['url']);
  return `data:${String(source['media_type'])};base64,${String(source['data'])}`;
}

function searchResult({ title, source, content }: Block): string {
  const texts = (content as readonly Block[]).map(({ text }) => text);
  return [title, source, ...texts].filter((text) => nonEmptyText(text) !== undefined).join('\n');
}

function textPart(text: unknown): ContentPart {
  return { type: 'text', text: String(text) };
}

/** How a line for Anthropic's own accounts begins, which Claude Code puts before its instructions, and which differs in each request. */
const BILLING_HEADER = /^x-anthropic-billing-header:[^\n]*\n*/;

/**
 * The instructions of a request without the line for Anthropic's own accounts: Bedrock and Vertex refuse it, no model needs it, and a prompt
 * that begins with it is never found in a cache again.
 */
function withoutBillingHeader(
  system: BlockContent | null | undefined,
  adjustments: RequestAdjustments,
): BlockContent | null | undefined {
  if (system == null) return system;
  const isHeader = (text: unknown): boolean => typeof text === 'string' && BILLING_HEADER.test(text);
  if (!(typeof system === 'string' ? isHeader(system) : system.some(({ text }) => isHeader(text)))) return system;
  adjustments.leftOut('system', 'billing_header');
  if (typeof system === 'string') return system.replace(BILLING_HEADER, '');
  return system.flatMap((block) => {
    if (!isHeader(block['text'])) return [block];
    const text = String(block['text']).replace(BILLING_HEADER, '');
    return text === '' ? [] : [{ ...block, text }];
  });
}

/**
 * Reads the instructions and messages of a request as those of a chat: results of tools become messages of their own, before the
 * rest of the user's message, and what the model thought becomes its reasoning, with the provider's signatures.
 */
function chatMessagesOf(
  given: BlockContent | null | undefined,
  messages: readonly MessageParam[],
  adjustments: RequestAdjustments,
): ChatMessage[] {
  const system = withoutBillingHeader(given, adjustments);
  const instructions = system == null || system.length === 0 ? [] : [systemMessage(system)];
  return [...instructions, ...messages.flatMap(chatMessages)];
}

function chatMessages({ role, content }: MessageParam): readonly ChatMessage[] {
  switch (role) {
    case 'system':
      return [systemMessage(content)];
    case 'assistant':
      return [typeof content === 'string' ? { role, content } : assistantMessage(content)];
    case 'user':
      return typeof content === 'string' ? [{ role, content }] : userMessages(content);
  }
}

function systemMessage(content: BlockContent): ChatMessage {
  return { role: 'system', content: contentOf(content) };
}

function userMessages(blocks: readonly Block[]): readonly ChatMessage[] {
  const said = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...blocks.filter(({ type }) => type === 'tool_result').map(toolMessage),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, content: contentOf(said) }]),
  ];
}

function toolMessage({ tool_use_id: id, content, is_error: isError, cache_control: mark }: Block): ChatMessage {
  const message = {
    role: 'tool' as const,
    tool_call_id: String(id),
    content: contentOf((content ?? '') as BlockContent),
  };
  return withMessagesFields<ChatMessage>(message, {
    ...(isError === true && { is_error: true }),
    cache_control: objectOf(mark),
  });
}

/** A chat message has no order of its blocks, so that it is noted for providers that take thoughts back only in their places. */
function assistantMessage(blocks: readonly Block[]): ChatMessage {
  const texts = blocks.filter((block) => !isThought(block) && !isCall(block));
  const thoughts = blocks.filter(isThought);
  const reasoning = thoughts.map(({ thinking }) => (typeof thinking === 'string' ? thinking : '')).join('');
  const details = thoughts.flatMap((thought, index) => detailsOf(thought, index));
  const calls = blocks.filter(isCall);
  const message: ChatMessage = {
    role: 'assistant',
    content: texts.length === 0 ? null : contentOf(texts),
    ...(reasoning !== '' && { reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  };
  const order = blocks.flatMap(kindsOf);
  if (blocks.some(isOfToolSearch)) return withMessagesFields(message, { block_order: order });
  return details.length === 0 ? message : withBlockOrder(message, order);
}

function kindsOf(block: Block): readonly BlockKind[] {
  if (isThought(block)) return detailsOf(block, 0).map(() => 'thought');
  if (isCall(block)) return ['call'];
  const content = contentOf([block]);
  return typeof content === 'string' ? ['part'] : content.map(() => 'part');
}

function isThought({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isCall({ type }: Block): boolean {
  return type === 'tool_use';
}

/** What a provider wants back of a thought; nothing of one without a signature, because its text says everything. */
function detailsOf({ type, thinking, signature, data }: Block, index: number): readonly JsonObject[] {
  if (type === 'redacted_thinking') return [encryptedReasoning(index, String(data))];
  const signed = nonEmptyText(signature);
  if (signed === undefined) return [];
  return detailsOfText(signed) ?? [reasoningText(index, { text: String(thinking), signature: signed })];
}

function toolCall({ id, name, input, cache_control: mark }: Block): ToolCall {
  const called = { name: String(name), arguments: JSON.stringify(input ?? {}) };
  return withMessagesFields<ToolCall>(
    { id: String(id), type: 'function', function: called },
    { cache_control: objectOf(mark) },
  );
}

/**
 * Reads how a model is to think. One that shall not is asked for nothing, because many providers know no such wish, and its
 * thoughts are left out of the answer.
 *
 * @param thinking the field of that name
 * @param effort that of `output_config`
 * @returns undefined if the request says nothing
 */
function reasoningOf(thinking: JsonObject | null | undefined, effort: unknown): ClientReasoning | undefined {
  const fields = { thinking: thinking ?? undefined, effort: effort ?? undefined };
  if (fields.thinking === undefined && fields.effort === undefined) return undefined;
  return withMessagesFields(wishOf(thinking, effort as ReasoningEffort | null | undefined), fields);
}

function wishOf(thinking: JsonObject | null | undefined, effort: ReasoningEffort | null | undefined): ClientReasoning {
  if (thinking?.['type'] === 'disabled') return { exclude: true };
  return {
    ...(effort !== null && effort !== undefined && { effort }),
    ...(thinking?.['type'] === 'enabled' && { max_tokens: Number(thinking['budget_tokens']) }),
    ...(thinking?.['type'] === 'adaptive' && { enabled: true }),
  };
}

/** Reads the tools that the client runs, and the searches for them that a provider runs, which cost nothing but tokens. */
function toolsOf(tools: readonly JsonObject[]): readonly FunctionTool[] {
  return tools.filter((tool) => isCallable(tool) || isToolSearch(tool)).map(toolOf);
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
function choiceFields(choice: JsonObject | null | undefined): {
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

/** How many entries of metadata a chat has at most. */
const MOST_METADATA = 16;

const SERVICE_TIERS: ReadonlyMap<string, string> = new Map([['standard_only', 'default']]);

/** The fields that both forms have, with one meaning. */
const SHARED = [
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'session_id',
  'trace',
  'stream',
  'inference_geo',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
] as const;

/**
 * Reads a request of the Messages form as a chat completion (docs/interface/messages.md). What only that form has is kept for
 * providers that speak it.
 *
 * @param body the body, after its form was checked
 * @param betas the header that asks such a provider for what is not general yet
 * @param adjustments is told which tools and instructions are left out
 */
export function chatRequestOfMessages(
  body: MessagesRequest,
  betas: string | undefined,
  adjustments = new RequestAdjustments(),
): ClientChatRequest {
  for (const [index, tool] of (body.tools ?? []).entries()) {
    if (!isCallable(tool) && !isToolSearch(tool)) adjustments.leftOut(`tools.${index}`, 'tool_of_provider');
  }
  const request = {
    messages: chatMessagesOf(body.system, body.messages, adjustments),
    ...chatSettingsOfMessages(body),
  };
  return withMessagesFields<ClientChatRequest>(request, {
    cache_control: objectOf(body.cache_control),
    context_management: objectOf(body.context_management),
    task_budget: objectOf(objectOf(body.output_config)?.['task_budget']),
    betas,
  });
}

/** All fields of {@link chatRequestOfMessages} but the conversation and what only the Messages form has: what a preset keeps. */
export function chatSettingsOfMessages(
  body: MessagesSettings & Partial<Pick<MessagesRequest, 'model'>>,
): Omit<ClientChatRequest, 'messages'> {
  const output = objectOf(body.output_config);
  const fields = {
    ...Object.fromEntries(SHARED.map((name) => [name, body[name]])),
    models: body.models ?? body.fallbacks?.map(({ model }) => String(model)),
    stop: body.stop_sequences,
    tools: body.tools == null ? body.tools : toolsOf(body.tools),
    ...choiceFields(objectOf(body.tool_choice)),
    reasoning: reasoningOf(objectOf(body.thinking), output?.['effort']),
    response_format: formatOf(output?.['format'] ?? body.output_format),
    service_tier: SERVICE_TIERS.get(body.service_tier ?? '') ?? body.service_tier,
    // The other speed is that of every request.
    speed: body.speed === 'fast' ? body.speed : undefined,
    user: body.user ?? wordOf(objectOf(body.metadata)?.['user_id']),
    metadata: furtherMetadataOf(objectOf(body.metadata)),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** The texts of the metadata that the form does not have: labels, and what records and destinations get. */
function furtherMetadataOf(metadata: JsonObject | undefined): Readonly<Record<string, string>> | undefined {
  const texts = Object.entries(metadata ?? {}).filter(
    (entry): entry is [string, string] => entry[0] !== 'user_id' && typeof entry[1] === 'string',
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts.slice(0, MOST_METADATA));
}

function formatOf(value: unknown): JsonObject | undefined {
  const format = objectOf(value);
  if (format === undefined) return undefined;
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format['schema'] } };
}
