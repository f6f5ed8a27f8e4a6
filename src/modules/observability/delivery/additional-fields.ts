import { MCP_RECORD, OPERATIONS, type RecordedType } from '../../../telemetry/operations.js';
import {
  type EventFilters,
  type GenerationEvent,
  type OutgoingGeneration,
  TOOL_OPERATION,
} from './generation-event.js';
import { jsonText } from './json-text.js';
import { modelParametersOf } from './model-parameters.js';

const NO_FILTERS: EventFilters = { guardrail_actions: [] };

/** A value of an additional field. */
export type AdditionalValue = string | number | boolean | null;

/**
 * The fields that the three `broadcast_generation_*` settings of a destination add, by their names in `GET /generation`
 * (docs/interface/destination-types.md#additional-fields). Without any of the three there are none.
 */
export function additionalFieldsOf({ event, additional }: OutgoingGeneration): ReadonlyMap<string, AdditionalValue> {
  return new Map<string, AdditionalValue>([
    ...(additional.cost ? Object.entries(costFieldsOf(event)) : []),
    ...(additional.identity ? Object.entries(identityFieldsOf(event)) : []),
    ...(additional.requestContext ? Object.entries(requestContextFieldsOf(event)) : []),
  ]);
}

function costFieldsOf({ cost, usage, isByok }: GenerationEvent): Record<string, AdditionalValue> {
  const total = Number(cost.total);
  return {
    total_cost: total,
    usage: total,
    upstream_inference_cost: amountOf(cost.upstream),
    cache_discount: amountOf(cost.cacheDiscount),
    is_byok: isByok,
    tokens_prompt: usage.promptTokens,
    tokens_completion: usage.completionTokens,
    native_tokens_prompt: usage.promptTokens,
    native_tokens_completion: usage.completionTokens,
    native_tokens_reasoning: usage.reasoningTokens,
    native_tokens_cached: usage.cachedTokens,
    num_media_prompt: usage.imagesInPrompt,
    num_input_audio_prompt: usage.recordingsInPrompt,
    num_media_completion: usage.imagesInAnswer,
  };
}

function identityFieldsOf(event: GenerationEvent): Record<string, AdditionalValue> {
  return {
    api_key_id: event.key.id,
    api_key_hash: event.key.hash,
    api_key_name: event.key.name,
    user_id: event.creatorUserId,
    external_user: event.externalUser,
    workspace_id: event.workspaceId,
    organization_id: event.organizationId,
    app_title: event.app.title,
    http_referer: event.app.referer,
    request_id: event.requestId,
  };
}

function recordOf({ operation }: GenerationEvent): RecordedType {
  if (operation === TOOL_OPERATION) return MCP_RECORD;
  return OPERATIONS[operation === 'text_completion' ? 'chat' : operation].record;
}

function requestContextFieldsOf(event: GenerationEvent): Record<string, AdditionalValue> {
  return {
    api_type: recordOf(event),
    api_path: event.apiPath,
    streamed: event.isStreamed,
    cancelled: event.isCancelled,
    user_agent: event.userAgent,
    preset_id: event.presetId,
    service_tier: event.serviceTier,
    data_region: event.dataRegion,
    session_id: event.sessionId,
    ...(event.labels !== undefined && { labels: jsonText(event.labels) ?? null }),
    ...(event.observed !== undefined && { observed: jsonText(event.observed) ?? null }),
    ...filterFieldsOf(event),
    parameters: jsonText(modelParametersOf(event)) ?? null,
  };
}

/** What content filters did, where they did anything. */
function filterFieldsOf({ filters = NO_FILTERS }: GenerationEvent): Record<string, AdditionalValue> {
  const { guardrail_actions: actions, ...others } = filters;
  const shown = { ...(actions.length > 0 && { guardrail_actions: actions }), ...others };
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, jsonText(value) ?? null]));
}

/** An amount in US dollars as the nearest double; null where there is none. */
export function amountOf(amount: string | null): number | null {
  return amount === null || !Number.isFinite(Number(amount)) ? null : Number(amount);
}
