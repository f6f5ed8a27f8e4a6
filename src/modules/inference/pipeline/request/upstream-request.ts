import type { ChatRequest, Reasoning } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { messagesFieldsOf, withMessagesFields } from '../../../codecs/chat/messages-fields.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { Candidate } from './candidate.js';

/** The fields that the gateway itself honours, and no provider gets. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'models',
  'preset',
  'provider',
  'route',
  'plugins',
  'transforms',
  'usage',
  'stream',
  'stream_options',
  'session_id',
  'trace',
  'debug',
  'metadata',
  'user',
  'include_reasoning',
  'reasoning_effort',
  'structured_outputs',
  'stop_server_tools_when',
  'cache_enabled',
  'cache_ttl_seconds',
]);

/**
 * The parameters that not every endpoint supports, by the name that the catalog has for each. A field that is not here is
 * handed on to every endpoint.
 */
const CATALOG_NAMES: Readonly<Record<string, string>> = {
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  top_a: 'top_a',
  frequency_penalty: 'frequency_penalty',
  presence_penalty: 'presence_penalty',
  repetition_penalty: 'repetition_penalty',
  seed: 'seed',
  stop: 'stop',
  logit_bias: 'logit_bias',
  logprobs: 'logprobs',
  top_logprobs: 'top_logprobs',
  tools: 'tools',
  tool_choice: 'tool_choice',
  // The catalog does not say it of endpoints that take it.
  parallel_tool_calls: 'tools',
  response_format: 'response_format',
  reasoning: 'reasoning',
  verbosity: 'verbosity',
};

/** Parameters that bound the cost of an answer: they are sent whatever the catalog says. */
const ALWAYS_SENT: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens']);

/** The only values of fields that else ask a provider to keep something of a request. */
const NOT_RETAINING: Readonly<Record<string, readonly unknown[]>> = {
  store: [false],
  background: [false],
  prompt_cache_retention: ['in_memory', 'in-memory'],
};

/** The tiers of service that cost no more than the list price. */
const PRICED_TIERS: ReadonlySet<unknown> = new Set(['auto', 'default', 'flex']);

/** Whether a field of a request is meant for providers: it has a value, and is none that the gateway itself honours. */
export function isAskedOfProvider(field: string, value: unknown): boolean {
  return isGiven(value) && !OWN_FIELDS.has(field);
}

/** Whether a provider may get a field of a request. A field that is null or absent is not sent, nor one that asks to keep it. */
export function isHandedOn(field: string, value: unknown): boolean {
  if (!isAskedOfProvider(field, value)) return false;
  return !Object.hasOwn(NOT_RETAINING, field) || NOT_RETAINING[field]!.includes(value);
}

/** Whether a candidate gets a field. The deployment's keys ask for no tier that costs more than is charged. */
export function isHandedOnTo({ isByok }: Pick<Candidate, 'isByok'>, field: string, value: unknown): boolean {
  return isHandedOn(field, value) && (isByok || field !== 'service_tier' || PRICED_TIERS.has(value));
}

/** Why a provider does not get a field that {@link isHandedOnTo} keeps from it. */
export function reasonOfRefusal(field: string): string {
  return field === 'service_tier' ? 'not_priced' : 'would_be_stored';
}

/**
 * The fields of a request that is no chat, as a candidate gets them: without those of the gateway.
 *
 * @param adjustments is told what else is left out
 */
export function fieldsFor(
  body: object,
  candidate: Pick<Candidate, 'isByok'>,
  adjustments: RequestAdjustments,
): Readonly<Record<string, unknown>> {
  const handedOn = Object.entries(body).filter(([field, value]: [string, unknown]) => {
    const isSent = isHandedOnTo(candidate, field, value);
    if (!isSent && isAskedOfProvider(field, value)) adjustments.leftOut(field, reasonOfRefusal(field));
    return isSent;
  });
  return Object.fromEntries(handedOn);
}

/** Whether the catalog knows a field as a parameter of models. */
export function isParameter(field: string): boolean {
  return Object.hasOwn(CATALOG_NAMES, field);
}

/** The parameters of a request that not every endpoint supports, by the names of the catalog. */
export function parametersOf(body: ClientChatRequest): ReadonlySet<string> {
  const named = Object.keys(CATALOG_NAMES).filter((field) => isGiven(body[field]));
  if (reasoningOf(body) !== null) named.push('reasoning');
  return new Set(named.map((field) => CATALOG_NAMES[field]!));
}

/**
 * The request for one endpoint: without the fields of the gateway, and without parameters that the endpoint does not list.
 *
 * @param candidate with the provider's name of the model
 * @param supported the parameters that the endpoint lists; empty if nothing is known
 * @param adjustments is told what is left out
 */
export function upstreamRequestOf(
  body: ClientChatRequest,
  candidate: Pick<Candidate, 'upstreamModel' | 'isByok'>,
  supported: readonly string[],
  adjustments = new RequestAdjustments(),
): ChatRequest {
  const isSupported = (field: string): boolean => {
    const name = isParameter(field) ? CATALOG_NAMES[field] : undefined;
    if (name === undefined || ALWAYS_SENT.has(field) || supported.length === 0 || supported.includes(name)) return true;
    return field === 'response_format' && asksForSchema(body) && supported.includes('structured_outputs');
  };
  const reasonAgainst = (field: string, value: unknown): string | undefined => {
    if (!isHandedOnTo(candidate, field, value)) return reasonOfRefusal(field);
    if (!isSupported(field)) return 'not_supported_by_endpoint';
    return field === 'parallel_tool_calls' && !hasTools(body) ? 'without_tools' : undefined;
  };
  const handedOn = Object.entries(body).filter(([field, value]) => {
    if (!isAskedOfProvider(field, value)) return false;
    const reason = reasonAgainst(field, value);
    if (reason !== undefined) adjustments.leftOut(field, reason);
    return reason === undefined;
  });
  const reasoning = reasoningOf(body);
  if (reasoning !== null && !isSupported('reasoning')) adjustments.leftOut('reasoning', 'not_supported_by_endpoint');
  // Not spread into another object, which takes long where the fields are very many.
  const request = Object.fromEntries(handedOn) as Omit<ChatRequest, 'model'>;
  const asked = reasoning !== null && isSupported('reasoning') ? { reasoning } : undefined;
  const ofMessages = withMessagesFields({}, messagesFieldsOf(body));
  const named: unknown = Object.assign(request, asked, ofMessages, { model: candidate.upstreamModel });
  return named as ChatRequest;
}

/** The request for a candidate ({@link upstreamRequestOf}). */
export function upstreamRequestFor(
  body: ClientChatRequest,
  candidate: Candidate,
  adjustments?: RequestAdjustments,
): ChatRequest {
  return upstreamRequestOf(body, candidate, candidate.endpoint.row.supportedParameters, adjustments);
}

/** What a request says about reasoning, in whichever form. */
export function reasoningOf(body: ClientChatRequest): Reasoning | null {
  // OpenAI's own field for chats asks for no summary, which OpenAI refuses to organizations that it has not verified.
  const isEffortAlone = isGiven(body.reasoning_effort) && !isGiven(body.reasoning);
  const reasoning: Reasoning = {
    ...body.reasoning,
    ...(isGiven(body.reasoning_effort) && { effort: body.reasoning_effort! }),
    ...(isEffortAlone && body.include_reasoning !== true && { summary: null }),
    ...(body.include_reasoning === false && { exclude: true }),
  };
  return Object.keys(reasoning).length === 0 ? null : reasoning;
}

/** Some models take a schema, and no other format. */
function asksForSchema({ response_format: format }: ClientChatRequest): boolean {
  return format?.type === 'json_schema';
}

/** Providers refuse to be told how many of no tools may be called at once. */
function hasTools({ tools }: ClientChatRequest): boolean {
  return (tools?.length ?? 0) > 0;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
