import type { EventAttempt, GenerationEvent } from '../generation-event.js';
import type { TraceFields } from '../trace-fields.js';
import { type AttributeRecord, Attributes } from './attributes.js';
import { hasFailed, statusMessageOf } from '../generation-status.js';
import { CLIENT, FAILED, type GenerationSpans, OK, type Span, type SpanEvent } from './span.js';
import { type SpanIds, spanIdsOf } from './span-ids.js';

/**
 * The spans of a generation: first its own, because some receivers read only the first one, then one around it if the request names it, one of
 * each attempt, and one of the time in which the answer of a model was generated (docs/interface/destination-types.md#spans).
 *
 * The others have no attribute `gen_ai.*`, by which receivers would count each of them as a generation of its own.
 *
 * @param attributes of its own span
 * @param resource further attributes of the service, where a type reads them there
 * @param inner attributes by which a type knows that a span is no generation
 */
export function generationSpansOf(
  event: GenerationEvent,
  trace: TraceFields,
  attributes: Attributes,
  resource: Attributes = new Attributes(),
  inner: AttributeRecord = {},
): GenerationSpans {
  const ids = spanIdsOf(event, trace);
  const own: Span = {
    traceId: ids.trace,
    spanId: ids.generation,
    parentSpanId: trace.spanName === undefined ? ids.caller : ids.around,
    name: trace.generationName ?? nameOf(event),
    kind: CLIENT,
    startedAt: event.startedAt,
    endedAt: event.endedAt,
    attributes,
    events: exceptionOf(event),
    status: statusOf(event),
  };
  const others = [
    ...(trace.spanName === undefined ? [] : [spanAround(own, ids, trace.spanName)]),
    ...event.attempts.map((attempt, index) => attemptSpan(attempt, index, ids)),
    ...answerSpan(event, ids),
  ];
  for (const span of others) span.attributes.setAll(inner);
  return {
    resource: resource.set('service.name', 'gatehouse').set('gatehouse.generation.id', event.id),
    spans: [own, ...others],
  };
}

/** The name of the span by the conventions: what is done, and with what. */
function nameOf({ operation, model, tool }: GenerationEvent): string {
  return tool === undefined ? `${operation} ${model.id}` : `${tool.method} ${tool.tool}`;
}

function statusOf(event: GenerationEvent): Span['status'] {
  if (!hasFailed(event)) return { code: OK };
  const message = statusMessageOf(event);
  return message === undefined ? { code: FAILED } : { code: FAILED, message };
}

function exceptionOf(event: GenerationEvent): SpanEvent[] {
  if (event.error === null) return [];
  const attributes = new Attributes()
    .set('exception.type', event.error.type)
    .set('exception.message', statusMessageOf(event));
  return [{ name: 'exception', at: event.endedAt, attributes }];
}

function spanAround(own: Span, ids: SpanIds, name: string): Span {
  const attributes = new Attributes().set('span.type', 'span').set('span.level', 'DEFAULT');
  return {
    ...own,
    spanId: ids.around,
    parentSpanId: ids.caller,
    name,
    attributes,
    events: [],
    status: { code: own.status.code },
  };
}

function attemptSpan(attempt: EventAttempt, index: number, ids: SpanIds): Span {
  const hasAnswered = attempt.status !== null && attempt.status < 400;
  const attributes = new Attributes()
    .set('span.type', 'span')
    .set('span.level', hasAnswered ? 'DEFAULT' : 'ERROR')
    .set('span.metadata.attempt_index', index)
    .set('span.metadata.status_code', attempt.status)
    .set('span.metadata.is_byok', attempt.isByok)
    .set('span.metadata.endpoint_id', attempt.endpoint)
    .set('span.metadata.model_permaslug', attempt.model)
    .set('trace.metadata.gatehouse.provider_name', attempt.providerName);
  return {
    traceId: ids.trace,
    spanId: ids.attempts[index]!,
    parentSpanId: ids.generation,
    name: `provider attempt ${index + 1}: ${attempt.providerName}`,
    kind: CLIENT,
    startedAt: attempt.startedAt,
    endedAt: attempt.startedAt + attempt.latencyMs,
    attributes,
    events: [],
    status: hasAnswered
      ? { code: OK }
      : { code: FAILED, message: attempt.status === null ? 'no answer' : `HTTP ${attempt.status}` },
  };
}

/** From the first token of the attempt that answered to the end; none where nothing answered. */
function answerSpan(event: GenerationEvent, ids: SpanIds): Span[] {
  const attempt = event.attempts.at(-1);
  if (attempt?.status == null || attempt.status >= 400 || event.tool !== undefined) return [];
  const startedAt = attempt.startedAt + attempt.latencyMs;
  const attributes = new Attributes().set('span.type', 'span').set('span.level', 'DEFAULT');
  return [
    {
      traceId: ids.trace,
      spanId: ids.answer,
      parentSpanId: ids.generation,
      name: 'generation',
      kind: CLIENT,
      startedAt,
      endedAt: event.endedAt,
      attributes,
      events: [],
      status: { code: OK },
    },
  ];
}
