import { amountOf } from '../additional-fields.js';
import { answerOf, type ChatMessage, conversationOf } from '../chat-messages.js';
import { addressesWithPath, sentToFirstFound, settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type { DeliveryTarget, DeliveryVerdict, DestinationAdapter, ReceiverTransport } from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import { durationOf } from '../event-times.js';
import { type BodyForm, fittingBody, isShortened, type Shortening } from '../fitting-body.js';
import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import { isObject } from '../../../../http/validation/constraints.js';
import {
  type EventContent,
  type GenerationEvent,
  knownCounts,
  type OutgoingGeneration,
  totalTokensOf,
  kindOf,
  TOOL_OPERATION,
} from '../generation-event.js';
import { metadataOf } from '../generation-metadata.js';
import { jsonText } from '../json-text.js';
import { modelParametersOf } from '../model-parameters.js';
import { errorTypeOf, hasFailed, statusMessageOf } from '../generation-status.js';
import { spanIdsOf } from '../otlp/span-ids.js';
import { toolDefinitionsOf } from '../otlp/tool-definitions.js';
import { shownContentOf } from '../shown-content.js';
import { traceFieldsOf } from '../trace-fields.js';
import { TOO_LARGE, verdictOf } from '../verdicts.js';

const LIMITS = { generations: 50, bytes: 900_000, concurrency: 2 };

/** Of the name of an application. */
const MAXIMUM_NAME_LENGTH = 193;

/** Sends generations to Datadog's LLM Observability by its HTTP interface (docs/interface/destination-types.md#datadog). */
export const DATADOG_ADAPTER: DestinationAdapter = {
  limits: LIMITS,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config } = target;
    const body = await fittingBody(generations, requestFormOf(settingOf(config, 'mlApp')), (generation, shortening) =>
      Buffer.from(jsonText(spanOf(generation, shortening))!),
    );
    if (body === null) return TOO_LARGE;
    const headers = { 'dd-api-key': settingOf(config, 'apiKey'), 'content-type': 'application/json' };
    const urls = addressesWithPath(settingOf(config, 'url'), '/api/intake/llm-obs/v1/trace/spans');
    const answer = await sentToFirstFound(transport, urls, {
      method: 'POST',
      headers: withConfiguredHeaders(headers, config),
      body,
    });
    return verdictOf(answer, secretsOf('datadog', config));
  },

  bytesOf: (generation) => estimatedBytesOf(generation, 1),
};

function requestFormOf(mlApp: string): BodyForm {
  const name = jsonText(mlApp.toLowerCase().slice(0, MAXIMUM_NAME_LENGTH))!;
  return {
    first: `{"data":{"type":"span","attributes":{"ml_app":${name},"tags":["service:gatehouse"],"spans":[`,
    between: ',',
    last: ']}}}',
    maximumBytes: LIMITS.bytes,
  };
}

function spanOf(generation: OutgoingGeneration, shortening: Shortening): Record<string, unknown> {
  const { event } = generation;
  const trace = traceFieldsOf(event);
  const ids = spanIdsOf(event, trace);
  const content = shortening.hasContent ? shownContentOf(event, shortening.contentText) : null;
  const tags = [
    ...(event.externalUser === null ? [] : [`user_id:${event.externalUser}`]),
    ...(trace.environment === undefined ? [] : [`env:${trace.environment}`]),
    `api_key_name:${event.key.name}`,
    ...(event.isTest === true ? ['test:true'] : []),
    ...trace.tags,
  ];
  return {
    name: trace.generationName ?? event.operation,
    trace_id: ids.trace,
    span_id: ids.generation,
    // The word for a span without a parent.
    parent_id: ids.caller ?? 'undefined',
    // Whole milliseconds: a double has no more digits.
    start_ns: Math.round(durationOf(0, event.startedAt)) * 1e6,
    duration: Math.round(durationOf(event.startedAt, event.endedAt)) * 1e6,
    status: hasFailed(event) ? 'error' : 'ok',
    ...(event.sessionId !== null && { session_id: event.sessionId }),
    tags,
    meta: {
      kind: kindOf(event),
      ...(content !== null && contentOf(event, content)),
      ...(hasFailed(event) && {
        error: { type: errorTypeOf(event), message: statusMessageOf(event) },
      }),
      metadata: {
        ...metadataOf(generation, trace, shortening.fieldText),
        ...plainParametersOf(event),
        generation_id: event.id,
        model_name: event.model.canonicalSlug,
        model_provider: event.model.author,
      },
    },
    metrics: metricsOf(event),
    ...(isShortened(shortening) && { collection_errors: ['dropped_io'] }),
  };
}

function contentOf({ operation }: GenerationEvent, content: EventContent): Record<string, unknown> {
  const conversation = conversationOf(content);
  if (operation === 'embeddings') return { input: { value: conversation.map(({ text }) => text).join('\n') } };
  const answer = answerOf(content);
  if (operation === TOOL_OPERATION) {
    return { input: { value: conversation[0]?.text }, output: { value: answer?.text } };
  }
  return {
    input: { messages: conversation.map(messageOf) },
    output: { messages: answer === null ? [] : [messageOf(answer)] },
    ...(content.tools !== undefined && {
      tool_definitions: toolDefinitionsOf(content.tools)!.filter(isObject).map(toolOf),
    }),
  };
}

/** Datadog names the schema of a tool's parameters so. */
function toolOf({ name, description, parameters }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { name, description, schema: parameters };
}

function messageOf({ role, text, toolCalls }: ChatMessage): Record<string, unknown> {
  return {
    role,
    content: text,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call) => ({
        name: call.name,
        // Datadog demands an object; arguments that the model has written as malformed JSON become an empty one.
        arguments: { ...(parsedIfJson(call.arguments) as object | undefined) },
        tool_id: call.id,
        type: 'function',
      })),
    }),
  };
}

/** Datadog takes no nested values. */
function plainParametersOf(event: GenerationEvent): Record<string, unknown> {
  const parameters = Object.entries(modelParametersOf(event));
  return Object.fromEntries(parameters.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)));
}

function metricsOf(event: GenerationEvent): Record<string, number> {
  const { usage, cost, firstTokenMs } = event;
  return knownCounts({
    input_tokens: usage.promptTokens,
    output_tokens: usage.completionTokens,
    total_tokens: totalTokensOf(event),
    cache_read_input_tokens: usage.cachedTokens,
    cache_write_input_tokens: usage.cacheWriteTokens,
    reasoning_output_tokens: usage.reasoningTokens,
    time_to_first_token: firstTokenMs === null ? null : firstTokenMs / 1_000,
    input_cost: amountOf(cost.input),
    output_cost: amountOf(cost.output),
    total_cost: amountOf(cost.total),
  });
}
