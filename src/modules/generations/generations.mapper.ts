import type { GenerationNames } from './dto/generation-names.dto.js';
import type {
  Generation,
  GenerationAttempt,
  GenerationCharge,
  GenerationExclusion,
  GenerationFeedback,
  GenerationMcpRequest,
  ProviderResponse,
} from './dto/generation.dto.js';
import { FEEDBACK_CATEGORIES } from './feedback/generation-feedback.dto.js';
import type {
  GenerationDetails,
  ProviderAttempt,
  RecordedExclusion,
  RecordedMcpRequest,
  UsageCharge,
} from './generation-details.js';
import type { NamedGeneration, NamesOfGeneration } from './generations.repository.js';
import { shownFiltersOf } from './shown-filters.js';

/**
 * A record as the interface shows it (docs/interface/generations.md).
 *
 * @param toManagement whether a management key or a session asks: API keys are not told what went wrong at a provider
 */
export function toGenerationResponse(generation: NamedGeneration, toManagement: boolean): Generation {
  const { details } = generation;
  const cost = Number(generation.costUsd);
  const [promptTokens, completionTokens] = [generation.promptTokens, generation.completionTokens].map(toNumber);
  return {
    id: generation.id,
    upstream_id: details.upstreamId ?? null,
    request_id: details.requestId,
    created_at: generation.createdAt.toISOString(),
    api_type: details.apiType,
    model: generation.model,
    router: null,
    provider_name: details.attempts.at(-1)?.providerName ?? null,
    provider_responses: details.attempts.map(toProviderResponse),
    total_cost: cost,
    usage: cost,
    cache_discount: numberOf(details.cacheDiscountUsd),
    upstream_inference_cost: numberOf(details.upstreamCostUsd),
    overrun: Number(details.overrunUsd ?? 0),
    is_usage_estimated: details.charges?.some(({ isEstimated }) => isEstimated === true) === true,
    is_usage_capped: details.charges?.some(({ isCapped }) => isCapped === true) === true,
    is_byok: generation.isByok,
    streamed: details.streamed,
    cancelled: details.cancelled,
    latency: details.latencyMs ?? null,
    moderation_latency: null,
    generation_time: details.generationMs ?? null,
    finish_reason: details.finishReason ?? null,
    native_finish_reason: details.nativeFinishReason ?? null,
    service_tier: details.serviceTier ?? null,
    tokens_prompt: promptTokens!,
    tokens_completion: completionTokens!,
    native_tokens_prompt: promptTokens!,
    native_tokens_completion: completionTokens!,
    native_tokens_completion_images: details.imageTokens ?? null,
    native_tokens_reasoning: details.reasoningTokens ?? null,
    native_tokens_cached: details.cachedTokens ?? null,
    num_media_prompt: details.mediaInPrompt ?? null,
    num_input_audio_prompt: details.audioInPrompt ?? null,
    num_media_completion: details.mediaInAnswer ?? null,
    num_search_results: null,
    num_fetches: null,
    web_search_engine: null,
    response_cache_source_id: details.cacheSourceId ?? null,
    app_id: null,
    origin: details.referer ?? '',
    http_referer: details.referer ?? null,
    user_agent: details.userAgent ?? null,
    ...(details.consoleSessionId !== undefined && { console_session_id: details.consoleSessionId }),
    external_user: details.externalUser ?? null,
    session_id: details.sessionId ?? null,
    ...(details.labels && { labels: details.labels }),
    preset_id: details.presetId ?? null,
    data_region: details.dataRegion,
    workspace_id: generation.workspaceId,
    status: generation.status,
    refusal: details.refusal ?? null,
    limited_by: details.limitedBy ?? null,
    ...(details.refusingGuardrailIds && { refusing_guardrail_ids: details.refusingGuardrailIds }),
    ...(details.exclusions && { exclusions: details.exclusions.map(toExclusion) }),
    requested_model: details.requestedModel,
    ...toNames(generation),
    attempts: details.attempts.map((attempt) => toAttempt(attempt, toManagement)),
    charges: (details.charges ?? []).map(toCharge),
    ...shownFiltersOf(details),
    ...(details.observed !== undefined && { observed: details.observed }),
    ...(details.mcp && { mcp: toMcpRequest(details.mcp) }),
    adjustments: details.adjustments ?? [],
    feedback: toFeedback(details),
  };
}

function toExclusion({ guardrailIds, ...exclusion }: RecordedExclusion): GenerationExclusion {
  return { ...exclusion, guardrail_ids: guardrailIds };
}

/** Who asked. */
export function toNames(record: NamesOfGeneration & { readonly userId: string }): GenerationNames {
  return {
    key_hash: record.keyHash,
    key_name: record.keyName,
    key_label: record.keyLabel,
    user_id: record.userId,
    user_name: record.userName,
  };
}

function toProviderResponse(attempt: ProviderAttempt): ProviderResponse {
  return {
    provider_name: attempt.providerName,
    endpoint_id: attempt.endpoint,
    model_permaslug: attempt.canonicalSlug ?? attempt.model,
    status: attempt.status,
    latency: attempt.latencyMs,
    is_byok: attempt.isByok,
  };
}

function toAttempt(attempt: ProviderAttempt, toManagement: boolean): GenerationAttempt {
  return {
    provider: attempt.provider,
    provider_name: attempt.providerName,
    model: attempt.model,
    endpoint: attempt.endpoint,
    status: attempt.status,
    is_byok: attempt.isByok,
    started: attempt.startedMs ?? null,
    latency: attempt.latencyMs,
    error: toManagement ? (attempt.error ?? null) : null,
  };
}

function toMcpRequest(asked: RecordedMcpRequest): GenerationMcpRequest {
  return {
    method: asked.method,
    server: asked.server,
    ...(asked.serverId !== undefined && { server_id: asked.serverId }),
    tool: asked.tool ?? null,
    protocol_version: asked.protocolVersion,
    request_bytes: asked.requestBytes ?? null,
    result_bytes: asked.resultBytes ?? null,
    is_error: asked.isError === true,
  };
}

function toCharge(charge: UsageCharge): GenerationCharge {
  return {
    model: charge.model,
    endpoint: charge.endpoint,
    is_byok: charge.isByok,
    cost: Number(charge.costUsd),
    is_usage_estimated: charge.isEstimated === true,
    is_usage_capped: charge.isCapped === true,
    ...(charge.inspectorId !== undefined && { inspector_id: charge.inspectorId }),
  };
}

function toFeedback({ feedback = {} }: GenerationDetails): GenerationFeedback[] {
  return FEEDBACK_CATEGORIES.flatMap((category) => {
    const given = feedback[category];
    if (given === undefined) return [];
    return [{ category, comment: given.comment, created_at: new Date(given.createdAt).toISOString() }];
  });
}

/** The driver reads large integers as text. */
function toNumber(count: number | string | null): number | null {
  return count === null ? null : Number(count);
}

function numberOf(amount: string | undefined): number | null {
  return amount === undefined ? null : Number(amount);
}
