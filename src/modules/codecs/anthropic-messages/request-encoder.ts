import {
  type Reasoning,
  type ChatRequest,
  type FunctionTool,
  type ToolChoice,
  type ChatMessage,
  type ContentPart,
  leadingInstructions,
} from '../chat/chat-completion.js';
import { EFFORT_SHARES } from '../chat/effort-shares.js';
import { type JsonObject, objectOf, nonEmptyText, listOf } from '../chat/json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf } from '../chat/messages-fields.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import {
  cacheControlOf,
  type BlockKind,
  type ContentBlock,
  contentBlocksOf,
  DividedParts,
  isOfMessagesForm,
  thinkingBlocksOf,
  wholeThoughtsOf,
  type ThoughtPlace,
  thoughtPlaceOf,
  toolUseBlock,
} from './blocks.js';
import { contentWithName } from '../chat/named-text.js';
import { portableCallId } from '../chat/tool-call-ids.js';

/** Tokens: the least and the most that may be asked for. */
const MINIMUM_BUDGET = 1_024;
const MAXIMUM_BUDGET = 128_000;

/**
 * How many tokens a model may think.
 *
 * @param reasoning what the caller asks for
 * @param longest the most tokens that the answer may have, reasoning included. It is never raised, because so much was
 *   reserved
 * @returns undefined if the model is not to think, or if the answer has no room for it
 */
function thinkingBudgetOf(reasoning: Reasoning | null | undefined, longest: number): number | undefined {
  const wanted = reasoning == null ? undefined : wantedTokens(reasoning, longest);
  if (wanted === undefined || longest <= MINIMUM_BUDGET) return undefined;
  return Math.min(Math.max(wanted, MINIMUM_BUDGET), MAXIMUM_BUDGET, longest - 1);
}

function wantedTokens({ effort, max_tokens: tokens, enabled }: Reasoning, longest: number): number | undefined {
  if (enabled === false || effort === 'none') return undefined;
  if (tokens != null) return tokens;
  const named = effort === 'max' ? 'xhigh' : (effort ?? (enabled === true ? 'medium' : undefined));
  const share = EFFORT_SHARES.find(([name]) => name === named)?.[1];
  return share === undefined ? undefined : Math.floor(share * longest);
}

/**
 * How a model is to think, as the field of the body. What a request said in this form stands, but for a budget that the answer
 * has no room for.
 *
 * @param longest the most tokens that the answer may have, reasoning included
 * @returns undefined if the request says nothing, or the answer has no room for it
 */
function thinkingOf(reasoning: Reasoning | null | undefined, longest: number): JsonObject | undefined {
  const fields = reasoning?.[MESSAGES_FIELDS];
  if (fields === undefined) return enabled(thinkingBudgetOf(reasoning, longest));
  const said = objectOf(fields['thinking']);
  if (said?.['type'] !== 'enabled') return said;
  const budget = enabled(thinkingBudgetOf({ max_tokens: reasoning?.max_tokens ?? null }, longest));
  return budget === undefined ? undefined : { ...said, ...budget };
}

function enabled(budget: number | undefined): JsonObject | undefined {
  return budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget };
}

/**
 * Writes the tools of a request, and which of them are to be called.
 *
 * @param request the tools, the choice among them, and whether several may be called at once
 * @param thinking whether the model thinks: it cannot be made to call a tool then, and decides itself
 * @param adjustments is told of a choice that is not kept
 * @returns the fields of the body; none if there are no tools
 */
function toolFields(
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

/** How many marks for its cache the provider takes in a request. */
const MOST_MARKS = 4;

/** How many of the last marks of the messages stay: with two of them a conversation that goes on is found again in the cache. */
const LAST_OF_MESSAGES = 2;

const MARK = 'cache_control';

/** A block with a mark, and whether it stands in the messages. */
interface MarkedBlock {
  readonly block: JsonObject;
  readonly isOfMessages: boolean;
}

/**
 * A body with no more marks for the cache than the provider takes: it refuses more. Those in the messages go first, the earliest before the
 * later ones, because each later mark covers what stands before it.
 *
 * @param adjustments is told if marks are left out
 */
export function withPossibleMarks(body: JsonObject, adjustments: RequestAdjustments): JsonObject {
  const { tools, system, messages } = body;
  const marked = [...markedIn([tools, system], false), ...markedIn(messages, true)];
  const excess = marked.length + (MARK in body ? 1 : 0) - MOST_MARKS;
  if (excess <= 0) return body;
  adjustments.leftOut(`*.${MARK}`, 'above_maximum');
  const first = new Set(marked.filter(({ isOfMessages }) => isOfMessages).slice(0, -LAST_OF_MESSAGES));
  const others = marked.filter((one) => !first.has(one));
  const refused = new Set([...first, ...others].slice(0, excess).map(({ block }) => block));
  const unmarked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unmarked);
    const block = objectOf(value);
    if (block === undefined) return value;
    const { [MARK]: mark, ...rest } = block;
    const isKept = mark !== undefined && !refused.has(block);
    return {
      ...rest,
      ...('content' in rest && { content: unmarked(rest['content']) }),
      ...(isKept && { [MARK]: mark }),
    };
  };
  return {
    ...body,
    ...(tools !== undefined && { tools: unmarked(tools) }),
    ...(system !== undefined && { system: unmarked(system) }),
    messages: unmarked(messages),
  };
}

/** The blocks with a mark, in their order, in lists and in the contents of messages and results. */
function markedIn(value: unknown, isOfMessages: boolean): readonly MarkedBlock[] {
  if (Array.isArray(value)) return value.flatMap((part: unknown) => markedIn(part, isOfMessages));
  const block = objectOf(value);
  if (block === undefined) return [];
  const inner = markedIn(block['content'], isOfMessages);
  return block[MARK] === undefined ? inner : [...inner, { block, isOfMessages }];
}

/** What an assistant message consists of, each in its own order. */
interface Said {
  readonly details: readonly JsonObject[];
  readonly parts: readonly ContentPart[];
  readonly calls: readonly ContentBlock[];
  /** The text of a refusal, which stands behind everything that was said. */
  readonly refusal: readonly ContentBlock[];
}

/**
 * Writes an assistant message as blocks, in the order in which the provider gave them: it refuses signed thoughts in another
 * one. The forms of clients that have blocks or items say that order themselves; in a chat the details of the thoughts say where
 * each stood (`thoughtPlaceOf`).
 *
 * @param adjustments is told which thoughts are left out
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function assistantBlocksOf(message: ChatMessage, adjustments?: RequestAdjustments): readonly ContentBlock[] {
  const said: Said = {
    details: message.reasoning_details ?? [],
    parts: partsOf(contentWithName(message)),
    calls: (message.tool_calls ?? []).map((call) => toolUseBlock(call)),
    refusal: contentBlocksOf(nonEmptyText(message['refusal'])),
  };
  const blocks = inStatedOrder(said, messagesFieldsOf(message)['block_order']) ?? inPlacesOfThoughts(said);
  const thoughts = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').length;
  if (thoughts < thinkingBlocksOf(said.details).length) adjustments?.leftOut(DETAILS, 'thoughts_without_place');
  else if (said.details.some((detail) => !isOfMessagesForm(detail))) {
    adjustments?.leftOut(DETAILS, 'thoughts_of_other_provider');
  }
  return blocks;
}

/** Where the thoughts of a message stand. */
const DETAILS = 'messages.*.reasoning_details';

function partsOf(content: ChatMessage['content']): readonly ContentPart[] {
  if (content === null || content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** @returns undefined if no order is stated, or it is not one of these details, parts and calls */
function inStatedOrder({ details, parts, calls, refusal }: Said, order: unknown): readonly ContentBlock[] | undefined {
  if (!Array.isArray(order)) return undefined;
  const kinds = order as readonly BlockKind[];
  const count = (kind: BlockKind): number => kinds.filter((one) => one === kind).length;
  if (count('thought') !== details.length || count('part') !== parts.length || count('call') !== calls.length) {
    return undefined;
  }
  const [nextDetail, nextPart, nextCall] = [details.values(), parts.values(), calls.values()];
  const blocks = kinds.flatMap((kind): readonly ContentBlock[] => {
    if (kind === 'thought') return thinkingBlocksOf([nextDetail.next().value!]);
    return kind === 'part' ? contentBlocksOf([nextPart.next().value!]) : [nextCall.next().value!];
  });
  return [...blocks, ...refusal];
}

/** Puts each thought behind what stood before it. Thoughts that say no place, or an impossible one, are left out. */
function inPlacesOfThoughts({ details, parts, calls, refusal }: Said): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const divided = new DividedParts(parts);
  let at: ThoughtPlace = { text: 0, calls: 0 };
  for (const [position, thought] of wholeThoughtsOf(details).entries()) {
    const place = thoughtPlaceOf(thought) ?? (position === 0 || calls.length + parts.length <= 1 ? at : undefined);
    if (place === undefined || place.text < at.text || place.calls < at.calls || place.calls > calls.length) continue;
    const before = divided.taken(place.text - at.text);
    blocks.push(...contentBlocksOf(before), ...calls.slice(at.calls, place.calls), ...thinkingBlocksOf([thought]));
    at = place;
  }
  return [...blocks, ...contentBlocksOf(divided.taken(Infinity)), ...refusal, ...calls.slice(at.calls)];
}

/** A message in the form of the Messages API. */
interface ConversationMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** Messages as the Messages API has them: instructions apart, and the two roles in turn. */
interface Conversation {
  readonly system: readonly ContentBlock[];
  readonly messages: readonly ConversationMessage[];
}

/**
 * Writes the messages of a request. Instructions at the beginning stand apart. Later ones are for what comes after them, so they
 * stay in their place, as texts of the user. The results of tools become parts of the user's message. Messages of one role that
 * follow each other become one.
 *
 * @param adjustments is told which thoughts are not sent
 * @throws ProviderError for a kind of part that the form has no block for
 */
function conversationOf(messages: readonly ChatMessage[], adjustments?: RequestAdjustments): Conversation {
  const begin = leadingInstructions(messages);
  // A conversation needs a message of the user.
  if (begin === messages.length)
    return { system: [], messages: [{ role: 'user', content: messages.flatMap(blocksOf) }] };
  const turns = inTurn(messages.slice(begin).map((message) => turnOf(message, adjustments)));
  return {
    system: messages.slice(0, begin).flatMap(blocksOf),
    messages: withPossibleBeginning(withoutLastThoughts(turns, adjustments)),
  };
}

function turnOf(message: ChatMessage, adjustments?: RequestAdjustments): ConversationMessage {
  if (message.role === 'tool') return { role: 'user', content: [toolResult(message)] };
  if (message.role !== 'assistant') return { role: 'user', content: blocksOf(message) };
  return { role: 'assistant', content: assistantBlocksOf(message, adjustments) };
}

function toolResult(message: ChatMessage): ContentBlock {
  const { tool_call_id: id, content } = message;
  const blocks = contentBlocksOf(content);
  return {
    type: 'tool_result',
    tool_use_id: portableCallId(id ?? ''),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...messagesFieldsOf(message),
  };
}

/** The form has no field for a name. */
function blocksOf(message: ChatMessage): readonly ContentBlock[] {
  return contentBlocksOf(contentWithName(message));
}

function inTurn(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const turns: { role: ConversationMessage['role']; content: ContentBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }));
}

/** The provider refuses a result of a tool behind anything else. */
function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isResult = ({ type }: ContentBlock): boolean => type === 'tool_result';
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

/** The provider refuses a message of the assistant that ends with a thought, as an answer that broke off leaves it. */
function withoutLastThoughts(
  turns: readonly ConversationMessage[],
  adjustments?: RequestAdjustments,
): readonly ConversationMessage[] {
  const endsWithThought = ({ role, content }: ConversationMessage): boolean =>
    role === 'assistant' && isThought(content.at(-1));
  if (!turns.some(endsWithThought)) return turns;
  adjustments?.leftOut(DETAILS, 'thoughts_without_answer');
  const answered = turns.map((turn) => {
    if (!endsWithThought(turn)) return turn;
    return { ...turn, content: turn.content.slice(0, turn.content.findLastIndex((block) => !isThought(block)) + 1) };
  });
  // What the user said before and behind nothing but thoughts is one message.
  return inTurn(answered);
}

/** The provider refuses the beginning of an answer that ends with white space. */
function withPossibleBeginning(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const trimmed = { ...block, text: String(block['text']).trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), trimmed] }];
}

function isThought(block: ContentBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

const THOUGHTS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/**
 * Whether the last turn of the assistant has called tools, or is the beginning of the answer, without a thought before: another model had it,
 * or its client has not kept the thoughts. The provider refuses to think with a budget behind such a turn, and goes on without thoughts.
 */
function lacksThoughts(messages: readonly ConversationMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last === undefined || THOUGHTS.has(last.content[0]!.type)) return false;
  return last === messages.at(-1) || last.content.some(({ type }) => type === 'tool_use');
}

/** What is left out of a conversation by the provider, without the edit of thoughts, which is refused where there are none. */
function withoutThoughtEdits(fields: JsonObject): JsonObject {
  const management = objectOf(fields['context_management']);
  const edits = listOf(management?.['edits']);
  const others = edits.filter((edit) => !String(objectOf(edit)?.['type']).startsWith('clear_thinking'));
  if (others.length === edits.length) return fields;
  const { context_management: _management, ...rest } = fields;
  return others.length === 0 ? rest : { ...rest, context_management: { ...management, edits: others } };
}

/** Tokens of an answer where neither the request nor the catalog says how many; the form demands a number. */
const DEFAULT_MAX_TOKENS = 4_096;

/** The least `top_p` that may be asked for while the model thinks. */
const MINIMUM_TOP_P_WITH_THINKING = 0.95;

const SERVICE_TIERS: ReadonlyMap<string, string> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
]);

/**
 * Writes a request in the form of the Messages API. What the form has no field for is left out
 * (docs/interface/providers.md#anthropic).
 *
 * @param adjustments is told what is left out or changed
 * @throws ProviderError for a kind of part that the form has no block for
 */
export function requestBody(request: ChatRequest, stream: boolean, adjustments = new RequestAdjustments()): JsonObject {
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? DEFAULT_MAX_TOKENS;
  const { system, messages } = conversationOf(request.messages, adjustments);
  const wanted = thinkingOf(request.reasoning, maxTokens);
  const isRefused = wanted?.['type'] === 'enabled' && lacksThoughts(messages);
  if (isRefused) adjustments.leftOut('reasoning', 'turn_without_thoughts');
  const thinking = isRefused ? undefined : wanted;
  const thinks = thinking !== undefined && thinking['type'] !== 'disabled';
  const body = {
    model: request.model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...(stream ? { stream } : {}),
    ...samplingFields(request, thinks, adjustments),
    ...stopFields(request),
    ...toolFields(request, thinks, adjustments),
    ...(thinking === undefined ? {} : { thinking }),
    ...outputFields(request, adjustments),
    ...(request.inference_geo == null ? {} : { inference_geo: request.inference_geo }),
    ...(request.speed == null ? {} : { speed: request.speed }),
    ...cacheControlOf(request),
    ...(nonEmptyText(request.user) === undefined ? {} : { metadata: { user_id: request.user } }),
    ...tierFields(request, adjustments),
    ...contextFields(request, thinks),
  };
  return withPossibleMarks(body, adjustments);
}

/** The form's temperatures end at 1. While a model thinks, most of these are not its caller's to choose. */
function samplingFields(
  { temperature, top_p, top_k }: ChatRequest,
  thinking: boolean,
  adjustments: RequestAdjustments,
): JsonObject {
  const fields = {
    ...(temperature == null || thinking ? {} : { temperature: Math.min(temperature, 1) }),
    ...(top_p == null || (thinking && top_p < MINIMUM_TOP_P_WITH_THINKING) ? {} : { top_p }),
    ...(top_k == null || thinking ? {} : { top_k }),
  };
  for (const [name, value] of Object.entries({ temperature, top_p, top_k })) {
    if (value != null && !(name in fields)) adjustments.leftOut(name, 'refused_while_reasoning');
  }
  if (fields.temperature !== undefined && fields.temperature !== temperature) {
    adjustments.changed('temperature', 'above_maximum');
  }
  return fields;
}

/** The form refuses sequences of nothing but white space. */
function stopFields({ stop }: ChatRequest): JsonObject {
  const sequences = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((sequence) => sequence.trim() !== '');
  return sequences.length === 0 ? {} : { stop_sequences: sequences };
}

function outputFields(request: ChatRequest, adjustments: RequestAdjustments): JsonObject {
  const { response_format: format, reasoning } = request;
  const budget = objectOf(messagesFieldsOf(request)['task_budget']);
  const schema = format?.['type'] === 'json_schema' ? objectOf(objectOf(format['json_schema'])?.['schema']) : undefined;
  const effort = nonEmptyText(messagesFieldsOf(reasoning)['effort']);
  if (schema === undefined && (format?.['type'] ?? 'text') !== 'text') {
    adjustments.leftOut('response_format', 'no_counterpart');
  }
  if (schema === undefined && effort === undefined && budget === undefined) return {};
  return {
    output_config: {
      ...(effort === undefined ? {} : { effort }),
      ...(budget === undefined ? {} : { task_budget: budget }),
      ...(schema === undefined ? {} : { format: { type: 'json_schema', schema } }),
    },
  };
}

function tierFields({ service_tier: tier }: ChatRequest, adjustments: RequestAdjustments): JsonObject {
  const known = SERVICE_TIERS.get(tier ?? '');
  if (tier != null && known === undefined) adjustments.leftOut('service_tier', 'no_counterpart');
  return known === undefined ? {} : { service_tier: known };
}

/** The fields that the gateway's form does not have. Without thoughts none can be left out of a conversation by the provider. */
function contextFields(request: ChatRequest, isAskedToThink: boolean): JsonObject {
  const {
    betas: _betas,
    task_budget: _budget,
    thinks_by_itself: thinksByItself,
    ...fields
  } = messagesFieldsOf(request);
  return isAskedToThink || thinksByItself === true ? fields : withoutThoughtEdits(fields);
}
