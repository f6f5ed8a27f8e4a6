import { v5 as uuidv5 } from 'uuid';
import { additionalFieldsOf, amountOf } from '../additional-fields.js';
import { openAiAnswerOf } from '../chat-messages.js';
import { compressed } from '../compressed-body.js';
import { addressesWithPath, settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type { DeliveryTarget, DeliveryVerdict, DestinationAdapter, ReceiverTransport } from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import { durationOf, isoTimeOf } from '../event-times.js';
import { fittingBody, isShortened, type Shortening } from '../fitting-body.js';
import { type EventContent, type GenerationEvent, type OutgoingGeneration, kindOf } from '../generation-event.js';
import { hasFailed, statusMessageOf } from '../generation-status.js';
import { jsonText } from '../json-text.js';
import { modelParametersOf } from '../model-parameters.js';
import { spanIdsOf } from '../otlp/span-ids.js';
import { shownContentOf } from '../shown-content.js';
import { cutText, type TextLimit } from '../text-cut.js';
import { type TraceFields, traceFieldsOf } from '../trace-fields.js';
import { TOO_LARGE, verdictOf } from '../verdicts.js';

const LIMITS = { generations: 100, bytes: 5_000_000, concurrency: 2 };

/** PostHog drops a larger event. */
const MAXIMUM_EVENT_BYTES = 900_000;

/** How deep a nested field of a request is sent. */
const MAXIMUM_DEPTH = 3;

const FIELD_LIMIT: TextLimit = { length: 10_000, unit: 'characters' };

/** Of the ids of events: a repeated one replaces the first. */
const EVENT_NAMESPACE = '3a2f0c54-7d0e-5d7b-9a68-5a0f6d6f9b11';

/** The events of PostHog's AI observability. */
const EVENT_NAMES = { llm: '$ai_generation', embedding: '$ai_embedding', tool: '$ai_span' } as const;

/** Sends generations to PostHog as events of its AI observability (docs/interface/destination-types.md#posthog). */
export const POSTHOG_ADAPTER: DestinationAdapter = {
  limits: LIMITS,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config } = target;
    const form = {
      first: `{"api_key":${jsonText(settingOf(config, 'apiKey'))!},"batch":[`,
      between: ',',
      last: ']}',
      maximumBytes: LIMITS.bytes,
      maximumGenerationBytes: MAXIMUM_EVENT_BYTES,
    };
    const body = await fittingBody(generations, form, (generation, shortening) =>
      Buffer.from(jsonText(eventOf(generation, shortening))!),
    );
    if (body === null) return TOO_LARGE;
    const sent = await compressed(body);
    const answer = await transport.send({
      method: 'POST',
      url: `${addressesWithPath(settingOf(config, 'endpoint'), '/batch')[0]!}/`,
      headers: withConfiguredHeaders({ 'content-type': 'application/json', ...sent.headers }, config),
      body: sent.body,
    });
    return verdictOf(answer, secretsOf('posthog', config));
  },

  bytesOf: (generation) => Math.min(MAXIMUM_EVENT_BYTES, estimatedBytesOf(generation, 1)),
};

function eventOf(generation: OutgoingGeneration, shortening: Shortening): unknown {
  const { event } = generation;
  const trace = traceFieldsOf(event);
  const ids = spanIdsOf(event, trace);
  return {
    event: EVENT_NAMES[kindOf(event)],
    uuid: uuidv5(event.id, EVENT_NAMESPACE),
    // Without a user there is no person that the event could be of.
    distinct_id: event.externalUser ?? ids.trace,
    timestamp: isoTimeOf(event.startedAt),
    properties: known({
      ...requestFieldsOf(trace, shortening.fieldText ?? FIELD_LIMIT),
      ...Object.fromEntries(additionalFieldsOf(generation)),
      ...gatewayFieldsOf(event),
      ...aiFieldsOf(event),
      ...contentFieldsOf(event, shortening),
      $process_person_profile: event.externalUser === null ? false : null,
      $ai_trace_id: ids.trace,
      $ai_span_id: ids.generation,
      $ai_parent_id: ids.caller,
      $ai_span_name: trace.generationName ?? event.operation,
      trace_name: trace.traceName,
      tags: trace.tags.length === 0 ? null : trace.tags,
      content_dropped: isShortened(shortening) ? true : null,
    }),
  };
}

function aiFieldsOf(event: GenerationEvent): Record<string, unknown> {
  const { usage, cost, firstTokenMs } = event;
  return {
    $ai_session_id: event.sessionId,
    $ai_model: event.model.canonicalSlug,
    $ai_provider: event.model.author,
    $ai_input_tokens: usage.promptTokens,
    $ai_output_tokens: usage.completionTokens,
    $ai_cache_read_input_tokens: usage.cachedTokens,
    $ai_cache_creation_input_tokens: usage.cacheWriteTokens,
    $ai_reasoning_tokens: usage.reasoningTokens,
    $ai_latency: durationOf(event.startedAt, event.endedAt) / 1_000,
    $ai_time_to_first_token: firstTokenMs === null ? null : firstTokenMs / 1_000,
    $ai_http_status: event.status,
    $ai_is_error: hasFailed(event),
    $ai_error: statusMessageOf(event),
    $ai_stream: event.isStreamed,
    $ai_input_cost_usd: amountOf(cost.input),
    $ai_output_cost_usd: amountOf(cost.output),
    $ai_total_cost_usd: amountOf(cost.total),
    $ai_model_parameters: modelParametersOf(event),
    $ai_stop_reason: event.finishReason,
  };
}

function gatewayFieldsOf(event: GenerationEvent): Record<string, unknown> {
  return {
    generation_id: event.id,
    provider_name: event.provider.name,
    provider_slug: event.provider.slug,
    api_key_name: event.key.name,
    entity_id: event.organizationId,
    creator_user_id: event.creatorUserId,
    native_finish_reason: event.nativeFinishReason,
    is_test: event.isTest,
  };
}

function contentFieldsOf(event: GenerationEvent, shortening: Shortening): Record<string, unknown> {
  const content = shortening.hasContent ? shownContentOf(event, shortening.contentText) : null;
  if (content === null) return {};
  const answer = openAiAnswerOf(content);
  return {
    $ai_input: messagesOf(content),
    $ai_output_choices: event.operation === 'embeddings' ? null : answer === null ? [] : [answer],
    $ai_tools: content.tools,
  };
}

function messagesOf({ input }: EventContent): unknown {
  return 'prompt' in input ? [{ role: 'user', content: input.prompt }] : input.messages;
}

function requestFieldsOf(trace: TraceFields, limit: TextLimit): Record<string, unknown> {
  return Object.fromEntries([...trace.others].map(([name, value]) => [`metadata_${name}`, fieldOf(value, limit)]));
}

/** A field of a request: a nested one down to a depth, or the beginning of its JSON where that is long. */
function fieldOf(value: unknown, limit: TextLimit): unknown {
  if (typeof value === 'string') return cutText(value, limit);
  const text = jsonText(withoutDepth(value, MAXIMUM_DEPTH));
  if (text === undefined) return null;
  const cut = cutText(text, limit);
  return cut === text ? (JSON.parse(text) as unknown) : cut;
}

function withoutDepth(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[truncated]';
  if (Array.isArray(value)) return value.map((item) => withoutDepth(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutDepth(item, depth - 1)]));
}

function known(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== undefined));
}
