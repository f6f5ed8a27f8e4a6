import { type GatehouseRequest, pathOf } from '../../../../http/request.js';
import { type InferenceRecord, operationOfRecord } from '../../../../telemetry/operations.js';
import type { NewGeneration } from '../../../generations/generations.service.js';
import { boundedText } from '../../../generations/content/generation-content.js';
import { shownFiltersOf } from '../../../generations/shown-filters.js';
import type { EventContent, GenerationEvent } from '../../../observability/delivery/generation-event.js';
import { NOTHING_KEPT } from '../answer/kept-output.js';
import type { CacheHit } from '../cache/request-cache.js';
import type { RequestState } from '../request/exchange.js';
import type { GenerationEnd } from './generation-record.js';

/** Fields of a request that parameters of the model are told from. */
const PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'top_a',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'seed',
  'stop',
  'n',
  'logprobs',
  'top_logprobs',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'modalities',
  'dimensions',
  'encoding_format',
  'input_type',
  'language',
  'voice',
  'speed',
];

/** The largest trace, metadata and parameters that are sent, in characters of JSON. */
const MAXIMUM_FIELDS = 65_536;

/** The largest definitions of tools that are sent, in characters of JSON. */
const MAXIMUM_TOOLS = 262_144;

/** The longest title of an application, in characters. */
const MAXIMUM_TITLE = 512;

/**
 * A generation for destinations (docs/interface/destinations.md#what-is-sent): one for which a provider was asked.
 *
 * @param record of the same request
 * @returns undefined for a generation that no destination may get
 */
export function eventOf(
  { request, decision, outcome }: RequestState,
  end: GenerationEnd,
  record: NewGeneration,
): GenerationEvent | undefined {
  const { caller, http, description } = request;
  const { details } = record;
  const last = outcome.attempts.at(-1) ?? providerOf(end.cacheSource);
  const context = decision.inputs?.context;
  if (decision.broadcast === undefined || context === undefined || last === undefined || record.workspaceId === null) {
    return undefined;
  }
  const { charge } = end;
  const answering = charge?.candidate.model ?? decision.candidates[0]?.model ?? decision.models[0]?.model;
  const body = (decision.sent ?? decision.inspected ?? decision.body) as Readonly<Record<string, unknown>>;
  const duration = performance.now() - request.startedAt;
  const endedAt = Date.now();
  const startedAt = microseconds(endedAt - duration);
  const ofPrompt = charge?.usage.prompt_tokens_details;
  return {
    id: record.id,
    organizationId: record.organizationId,
    workspaceId: record.workspaceId,
    requestId: details.requestId,
    operation: operationOf(description.apiType, http),
    apiPath: pathOf(http),
    startedAt,
    endedAt,
    firstTokenMs: details.latencyMs ?? null,
    model: {
      requested: description.requestedModel,
      id: record.model,
      canonicalSlug: answering?.row.canonicalSlug ?? record.model,
      author: answering?.author ?? '',
    },
    provider: { name: last.providerName, slug: last.provider },
    attempts: outcome.attempts.map((attempt) => ({
      providerName: attempt.providerName,
      providerSlug: attempt.provider,
      model: attempt.canonicalSlug ?? attempt.model,
      endpoint: attempt.endpoint,
      status: attempt.status,
      isByok: attempt.isByok,
      startedAt: microseconds(startedAt + (attempt.startedMs ?? 0)),
      latencyMs: attempt.latencyMs,
    })),
    status: record.status,
    // That a client has left is no error of the answer.
    error:
      end.error === undefined || end.cancelled === true
        ? null
        : { type: end.refusal ?? 'provider_error', ...end.error },
    isCancelled: details.cancelled,
    isStreamed: details.streamed,
    isByok: record.isByok,
    finishReason: details.finishReason ?? null,
    ...(end.finishReasons !== undefined && end.finishReasons.length > 1 && { finishReasons: end.finishReasons }),
    nativeFinishReason: details.nativeFinishReason ?? null,
    usage: {
      promptTokens: record.promptTokens,
      completionTokens: record.completionTokens,
      cachedTokens: details.cachedTokens ?? null,
      cacheWriteTokens: ofPrompt?.cache_write_tokens ?? null,
      reasoningTokens: details.reasoningTokens ?? null,
      imagesInPrompt: details.mediaInPrompt ?? null,
      recordingsInPrompt: details.audioInPrompt ?? null,
      imagesInAnswer: details.mediaInAnswer ?? null,
    },
    cost: {
      total: record.costUsd,
      input: charge?.cost.prompt ?? null,
      output: charge?.cost.completion ?? null,
      upstream: details.upstreamCostUsd ?? null,
      cacheDiscount: details.cacheDiscountUsd ?? null,
      inputUnitPrice: priceOf(charge?.prices.prompt),
      outputUnitPrice: priceOf(charge?.prices.completion),
    },
    key: { id: caller.credentialId, hash: context.keyHash, name: context.keyName },
    creatorUserId: record.userId,
    externalUser: details.externalUser ?? null,
    sessionId: details.sessionId ?? null,
    ...(details.labels !== undefined && { labels: details.labels }),
    trace: boundedFields(body['trace']),
    metadata: boundedFields(body['metadata']),
    parameters: boundedFields(parametersOf(body)),
    app: { title: titleOf(http), referer: details.referer ?? null },
    userAgent: details.userAgent ?? null,
    presetId: details.presetId ?? null,
    serviceTier: details.serviceTier ?? null,
    dataRegion: details.dataRegion,
    ...(details.observed !== undefined && { observed: details.observed }),
    filters: shownFiltersOf(details),
    content: contentOf(decision.broadcastInput, end, body),
  };
}

/** The provider that a cached answer came from. */
function providerOf(
  hit: CacheHit | undefined,
): { readonly providerName: string; readonly provider: string } | undefined {
  return hit && { providerName: hit.candidate.endpoint.provider.name, provider: hit.candidate.endpoint.provider.slug };
}

function operationOf(apiType: InferenceRecord, http: GatehouseRequest): GenerationEvent['operation'] {
  const operation = operationOfRecord(apiType);
  return operation === 'chat' && /(?<!\/chat)\/completions$/.test(pathOf(http)) ? 'text_completion' : operation;
}

function contentOf(
  input: EventContent['input'] | undefined,
  { output }: GenerationEnd,
  { tools }: Readonly<Record<string, unknown>>,
): EventContent | null {
  if (input === undefined) return null;
  const { completion, reasoning, toolCalls } = output ?? NOTHING_KEPT;
  const hasTools = Array.isArray(tools) && tools.length > 0 && JSON.stringify(tools).length <= MAXIMUM_TOOLS;
  return { input, output: { completion, reasoning, toolCalls }, ...(hasTools && { tools: tools as unknown[] }) };
}

/** The parameters of a request. Of a format of the answer only its kind: its schema may say what the request is about. */
function parametersOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = PARAMETERS.filter((name) => body[name] !== undefined && body[name] !== null);
  const { type } = (body['response_format'] ?? {}) as { readonly type?: unknown };
  return {
    ...Object.fromEntries(given.map((name) => [name, body[name]])),
    ...(typeof type === 'string' && { response_format: { type } }),
  };
}

/** The fields of an object; none of one that is too large to be sent along. */
function boundedFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return JSON.stringify(value).length > MAXIMUM_FIELDS ? {} : (value as Readonly<Record<string, unknown>>);
}

function titleOf({ headers }: GatehouseRequest): string | null {
  const title = headers['x-title'] ?? headers['x-openrouter-title'];
  return typeof title === 'string' && title !== '' ? boundedText(title, MAXIMUM_TITLE) : null;
}

function priceOf(price: string | number | undefined): string | null {
  return price === undefined ? null : String(price);
}

/** Milliseconds with three decimals: what a double holds of a time of today. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
