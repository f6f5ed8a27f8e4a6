import type { ErrorEnvelope } from '../../../http/errors/error-envelope.js';
import { CONTEXT_LENGTH_EXCEEDED, errorTypeOf, errorWordOf } from '../../../http/errors/error-type.js';
import type { StreamEvent, AnswerOrigin, AnswerUsage } from '../client-codec.js';
import { brokenAnswerErrorOf, isOwnFault, shownWordsOf } from '../errors/shown-error.js';
import type { TokenUsage, FinishReason, ChatChoice } from '../chat/chat-completion.js';
import { wordOf, type JsonObject, nonEmptyText, objectOf } from '../chat/json-values.js';
import { messagesFieldsOf, type WithMessagesFields, type CacheWrites, cacheWritesOf } from '../chat/messages-fields.js';
import { stopReasonOf } from './answer-decoder.js';
import { ToolArgumentsReader } from '../chat/tool-arguments-reader.js';
import { inBlockOrder, keptBlockOrderOf, thinkingBlocksOf, toolUseBlock } from './blocks.js';
import { haveOpaqueState, KeptDetails } from '../chat/carried-reasoning.js';

/** The words of the Messages form for kinds of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  524: 'timeout_error',
  529: 'overloaded_error',
};

/** The error itself, as clients of the Messages form read it (docs/interface/messages.md#errors). */
interface MessagesError {
  readonly type: string;
  readonly message: string;
  readonly error_type: string;
}

/** How clients of the form know that the conversation is too long, or its prompt and the longest answer together. */
const TOO_LONG = /^prompt is too long|exceed context limit/i;

/** An error of a status in the Messages form. @param errorType the stable word for its kind, if that says more than the status */
function messagesErrorOf(status: number, message: string, errorType = errorTypeOf(status)): MessagesError {
  if (errorType === CONTEXT_LENGTH_EXCEEDED) {
    const said = TOO_LONG.test(message) ? message : `prompt is too long: ${message}`;
    return { type: 'invalid_request_error', message: said, error_type: errorType };
  }
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type, message, error_type: errorType };
}

/**
 * The body of a failure in the Messages form, which has all that the common one has.
 *
 * @param generationId null before there is one
 */
export function messagesErrorEnvelope({ error, ...envelope }: ErrorEnvelope, generationId: string | null): object {
  const { code, message, metadata } = error;
  return {
    type: 'error',
    error: { ...error, ...messagesErrorOf(code, message, errorWordOf(code, metadata)) },
    request_id: generationId,
    ...envelope,
  };
}

/** The event that ends a message which cannot be completed. */
export function errorEvent(error: unknown, { id, routing }: AnswerOrigin): StreamEvent {
  const { status, message } = brokenAnswerErrorOf(error);
  const shown = messagesErrorOf(status, message, shownWordsOf(error).error_type);
  return {
    event: 'error',
    data: { error: shown, type: 'error', request_id: id, ...(!isOwnFault(error) && routing()) },
  };
}

/** Tokens as the Messages form counts them: those of the prompt are without what was cached or written to the cache. */
interface MessageUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  /** The tokens written to the cache by how long it keeps them, which providers of other forms do not report. */
  readonly cache_creation: CacheWrites | null;
  readonly output_tokens_details: { readonly thinking_tokens: number } | null;
  readonly server_tool_use: null;
  readonly inference_geo: string | null;
  readonly service_tier: string | null;
  readonly speed: string | null;
}

interface ChargedMessageUsage extends MessageUsage, Pick<AnswerUsage, 'cost' | 'cost_details' | 'is_byok'> {}

/** The words of the form for tiers of service: others, such as `flex`, have none in it. */
const TIERS: ReadonlyMap<string | null, string> = new Map([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
]);

const SPEEDS: ReadonlySet<string> = new Set(['standard', 'fast']);

/** The tokens of an answer. @param usage null where nothing is known yet */
export function messageUsage(usage: TokenUsage | null, serviceTier: string | null): MessageUsage {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const written = usage?.prompt_tokens_details?.cache_write_tokens ?? 0;
  const thought = usage?.completion_tokens_details?.reasoning_tokens;
  const said = messagesFieldsOf(usage);
  const speed = wordOf(said['speed']);
  return {
    input_tokens: Math.max((usage?.prompt_tokens ?? 0) - cached - written, 0),
    output_tokens: usage?.completion_tokens ?? 0,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: cacheWritesOf(usage) ?? null,
    output_tokens_details: typeof thought === 'number' ? { thinking_tokens: thought } : null,
    server_tool_use: null,
    inference_geo: wordOf(said['inference_geo']) ?? null,
    service_tier: TIERS.get(serviceTier) ?? null,
    speed: speed !== undefined && SPEEDS.has(speed) ? speed : null,
  };
}

/** The tokens of an answer that has been charged, and what it cost. */
export function chargedMessageUsage(usage: AnswerUsage, serviceTier: string | null): ChargedMessageUsage {
  const { cost, cost_details, is_byok } = usage;
  return { ...messageUsage(usage, serviceTier), cost, cost_details, is_byok };
}

/** A message without what the model says: its own id and model are the gateway's to say, not the provider's. */
export function messageHead({ id, model, provider }: AnswerOrigin, usage: MessageUsage): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    provider,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage,
  };
}

/** What says why a choice ended. */
interface Ended extends WithMessagesFields {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** The kinds of refusals that the form has. */
const CATEGORIES: ReadonlySet<string> = new Set([
  'cyber',
  'bio',
  'frontier_llm',
  'reasoning_extraction',
  'general_harms',
]);

/** Why a message ended. @param ended undefined where nothing says it */
export function stopFields(ended: Ended | undefined): {
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly stop_details: object | null;
} {
  const reason = ended === undefined ? null : stopReasonOf(ended);
  const fields = messagesFieldsOf(ended);
  return {
    stop_reason: reason,
    stop_sequence: nonEmptyText(fields['stop_sequence']) ?? null,
    stop_details: reason === 'refusal' ? refusalOf(objectOf(fields['stop_details']) ?? {}) : null,
  };
}

/** What a provider of the form says of its refusal; nothing of others, whose kinds are not those of the form. */
function refusalOf({ category: said, explanation }: JsonObject): object {
  const category = wordOf(said);
  return {
    type: 'refusal',
    category: category !== undefined && CATEGORIES.has(category) ? category : null,
    explanation: nonEmptyText(explanation) ?? null,
  };
}

/**
 * Writes what a model says as blocks: where its provider speaks the form in their order, else thoughts, text, calls of tools.
 * Thoughts of a provider of another form have none of its signatures.
 */
export function answerBlocks(choice: ChatChoice): readonly JsonObject[] {
  const { content, refusal, reasoning, reasoning_details: details = [], tool_calls: calls = [] } = choice.message;
  const toolArguments = new ToolArgumentsReader();
  const signed = thinkingBlocksOf(details);
  const thoughts = signed.length > 0 ? signed : thoughtsOfOtherForms(reasoning, details);
  const called = calls.map((call) => ({ ...toolUseBlock(call, toolArguments), caller: { type: 'direct' } }));
  const order = keptBlockOrderOf(choice);
  const placed = order && inBlockOrder(order, { thoughts, text: content ?? '', calls: called }, newText);
  if (placed !== undefined) return placed;
  const kept = (order ?? []).flatMap(({ block }) => (block === undefined ? [] : [block]));
  return [...thoughts, ...kept, ...textBlock(content, newText), ...textBlock(refusal, newText), ...called];
}

/** The thoughts of a provider of another form as one block, with what it wants back of them in the place of a signature. */
function thoughtsOfOtherForms(text: string | null | undefined, details: readonly JsonObject[]): readonly JsonObject[] {
  const kept = new KeptDetails();
  for (const detail of details) kept.add(detail);
  const signature = haveOpaqueState(kept.all) ? kept.carried : undefined;
  if (signature === undefined && nonEmptyText(text) === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', signature: signature ?? '' }];
}

/** A block of text. */
export function newText(text: string): JsonObject {
  // Some clients refuse a text without the field, others one with null in it.
  return { type: 'text', text, citations: [] };
}

function textBlock(text: string | null | undefined, block: (text: string) => JsonObject): readonly JsonObject[] {
  return typeof text === 'string' && text !== '' ? [block(text)] : [];
}
