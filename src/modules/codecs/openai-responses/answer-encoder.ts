import type { ErrorEnvelope } from '../../../http/errors/error-envelope.js';
import { CONTEXT_LENGTH_EXCEEDED, errorWordOf, errorTypeOf } from '../../../http/errors/error-type.js';
import { chatErrorEnvelope } from '../openai-chat/answer-encoder.js';
import { MASKED_FAILURE, type ShownError } from '../errors/shown-error.js';
import type { FinishReason, AssistantMessage, ChatChoice, ChatDelta, FunctionTool } from '../chat/chat-completion.js';
import type { AnswerUsage, AnswerOrigin } from '../client-codec.js';
import { inBlockOrder, keptBlockOrderOf } from '../anthropic-messages/blocks.js';
import type { ResponsesRequest } from './client-request.js';

/** The body of a failure in the Responses form: the common one, and the word for its kind at its top. */
export function responsesErrorEnvelope(envelope: ErrorEnvelope): object {
  const { code, metadata } = envelope.error;
  return { ...chatErrorEnvelope(envelope), error_type: errorWordOf(code, metadata) };
}

/** How an answer ends, and what it says of it. */
export interface ResponseEnd {
  readonly status: 'completed' | 'incomplete' | 'failed';
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The stable word for the kind of an error. */
  readonly error_type?: string;
}

/** The end of an answer that the provider has finished. */
export function endOf(reason: FinishReason | null): ResponseEnd {
  if (reason === 'length') return cut('max_output_tokens');
  if (reason === 'content_filter') return cut('content_filter');
  if (reason === 'error') return failedEnd({ status: 502, message: MASKED_FAILURE });
  return { status: 'completed', incomplete_details: null, error: null };
}

/** What is known of why an answer cannot be completed. */
interface FailureWords {
  /** The stable word for its kind. */
  readonly error_type: string;
  /** The provider's own word. */
  readonly provider_code?: string;
}

/** The end of an answer that cannot be completed. @param words if they say more than the status */
export function failedEnd(
  { status, message }: ShownError,
  words: FailureWords = { error_type: errorTypeOf(status) },
): ResponseEnd {
  return {
    status: 'failed',
    incomplete_details: null,
    error: { code: codeOf(status, words), message },
    error_type: words.error_type,
  };
}

function cut(reason: 'max_output_tokens' | 'content_filter'): ResponseEnd {
  return { status: 'incomplete', incomplete_details: { reason }, error: null };
}

/** The codes of the form for requests that a provider refuses, of which clients know what to do. */
const CODES_OF_REFUSALS: ReadonlySet<string> = new Set([
  'bio_policy',
  'cyber_policy',
  'misalignment_policy_violation',
  'data_residency_mismatch',
  'flex_unavailable',
  'insufficient_quota',
  'invalid_image',
  'invalid_image_format',
  'invalid_base64_image',
  'invalid_image_url',
  'image_too_large',
  'image_too_small',
  'image_parse_error',
  'image_content_policy_violation',
  'invalid_image_mode',
  'image_file_too_large',
  'unsupported_image_media_type',
  'empty_image_file',
  'failed_to_download_image',
  'image_file_not_found',
]);

/** The statuses of a provider that has too much to do. */
const OVERLOADED: ReadonlySet<number> = new Set([503, 529]);

/** Coding agents decide by it whether to ask again, and when, or to shorten the conversation. */
function codeOf(status: number, { error_type: word, provider_code: code = '' }: FailureWords): string {
  if (word === CONTEXT_LENGTH_EXCEEDED) return word;
  if (CODES_OF_REFUSALS.has(code)) return code;
  if (status === 429) return 'rate_limit_exceeded';
  if (OVERLOADED.has(status)) return 'server_is_overloaded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}

/** What was used, and what it costs, in the form of the Responses interface (docs/interface/responses.md#usage). */
export function responseUsageOf(usage: AnswerUsage): object {
  const { prompt_tokens_details: prompt, completion_tokens_details: completion, cost_details: costs } = usage;
  return {
    input_tokens: usage.prompt_tokens,
    // Clients with fixed types read both counts, even if the provider has no prompt cache.
    input_tokens_details: {
      cached_tokens: prompt?.cached_tokens ?? 0,
      cache_write_tokens: prompt?.cache_write_tokens ?? 0,
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: completion?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    is_byok: usage.is_byok,
    cost_details: {
      upstream_inference_cost: costs.upstream_inference_cost,
      upstream_inference_input_cost: costs.upstream_inference_prompt_cost,
      upstream_inference_output_cost: costs.upstream_inference_completions_cost,
    },
  };
}

/**
 * What a whole answer says, in the parts that a stream of it would bring: in the order of its provider, which wants its thoughts
 * back as they stood, where that is another one than thoughts, text and calls.
 */
export function saidParts(choice: ChatChoice): readonly (AssistantMessage | ChatDelta)[] {
  const { message } = choice;
  const order = keptBlockOrderOf(choice);
  if (order === undefined) return [message];
  const thoughts = (message.reasoning_details ?? []).map((detail) => ({ reasoning_details: [detail] }));
  const calls = (message.tool_calls ?? []).map((call, index) => ({ tool_calls: [{ index, ...call }] }));
  const blocks = { thoughts, text: message.content ?? '', calls };
  return inBlockOrder(order, blocks, (content) => ({ content })) ?? [message];
}

/** What is known when an answer has ended. */
export interface EndedResponse {
  readonly end: ResponseEnd;
  /** The usage; undefined for an answer that cannot be completed. */
  readonly usage?: AnswerUsage;
  /** Null where the provider does not say. */
  readonly serviceTier: string | null;
  /** The field that shows how the request was routed; empty unless it was asked for. */
  readonly routing: object;
}

/** What was asked, and the model that answers. */
export type ResponseOrigin = Omit<AnswerOrigin, 'provider'>;

/**
 * The object that every answer is, and that the first and last events of a stream have (docs/interface/responses.md#answers).
 * It repeats what was asked, with the preset, and without what was redacted.
 *
 * @param request what the caller has sent
 * @param origin what was sent to the provider, and who answers
 * @param output the items so far
 * @param ended undefined while the answer is being written
 */
export function responseDocument(
  request: ResponsesRequest,
  { id, created, model, body }: ResponseOrigin,
  output: readonly object[],
  ended?: EndedResponse,
): object {
  const { status, incomplete_details = null, error = null, error_type: errorType } = ended?.end ?? {};
  return {
    id,
    object: 'response',
    created_at: created,
    completed_at: status === 'completed' ? Math.floor(Date.now() / 1000) : null,
    model,
    status: status ?? 'in_progress',
    output,
    error,
    ...(errorType !== undefined && { error_type: errorType }),
    incomplete_details,
    instructions: instructionsOf(request, body),
    metadata: body.metadata ?? null,
    // Clients with fixed types read a value for each setting, so that what holds where nothing was asked is said.
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    top_logprobs: body.top_logprobs ?? 0,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    max_output_tokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    tools: (body.tools ?? []).flatMap(toolOf),
    tool_choice: request.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { format: request.text?.format ?? { type: 'text' }, verbosity: request.text?.verbosity ?? 'medium' },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    truncation: request.truncation ?? 'disabled',
    service_tier: ended?.serviceTier ?? body.service_tier ?? 'default',
    prompt_cache_key: body.prompt_cache_key ?? null,
    safety_identifier: request.safety_identifier ?? null,
    ...(typeof body.user === 'string' && { user: body.user }),
    store: false,
    background: false,
    previous_response_id: null,
    usage: ended?.usage === undefined ? null : responseUsageOf(ended.usage),
    ...ended?.routing,
  };
}

/** The caller's instructions stand before all other messages, where filters have seen them. */
function instructionsOf({ instructions }: ResponsesRequest, { messages }: AnswerOrigin['body']): unknown {
  return typeof instructions === 'string' ? messages[0]!.content : null;
}

function toolOf({ function: called }: FunctionTool): object[] {
  if (called === undefined) return [];
  const { name, description, parameters, strict } = called;
  return [
    {
      type: 'function',
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? null,
    },
  ];
}
