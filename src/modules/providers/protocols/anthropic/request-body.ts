import type { ChatRequest } from '../../chat-completion.js';
import { type JsonObject, objectOf, nonEmptyText } from '../../json-values.js';
import { messagesFieldsOf } from '../../messages-fields.js';
import { RequestAdjustments } from '../../request-adjustments.js';
import { cacheControlOf } from './cache-control.js';
import { withPossibleMarks } from './cache-marks.js';
import { conversationOf } from './conversation.js';
import { thinkingOf } from './thinking.js';
import { toolFields } from './tools.js';
import { lacksThoughts, withoutThoughtEdits } from './unfinished-turn.js';

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

function outputFields(
  { response_format: format, reasoning }: ChatRequest,
  adjustments: RequestAdjustments,
): JsonObject {
  const schema = format?.['type'] === 'json_schema' ? objectOf(objectOf(format['json_schema'])?.['schema']) : undefined;
  const effort = nonEmptyText(messagesFieldsOf(reasoning)['effort']);
  if (schema === undefined && (format?.['type'] ?? 'text') !== 'text') {
    adjustments.leftOut('response_format', 'no_counterpart');
  }
  if (schema === undefined && effort === undefined) return {};
  return {
    output_config: {
      ...(effort === undefined ? {} : { effort }),
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
  const { betas: _betas, thinks_by_itself: thinksByItself, ...fields } = messagesFieldsOf(request);
  return isAskedToThink || thinksByItself === true ? fields : withoutThoughtEdits(fields);
}
