import { type HrTime, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { BodyEncoding } from '../destination-adapter.js';
import type { BodyForm } from '../fitting-body.js';
import { cutText, type TextLimit } from '../text-cut.js';
import type { AttributeRecord, ValueLimits } from './attributes.js';
import type { GenerationSpans, Span } from './span.js';

const SERIALIZERS = { json: JsonTraceSerializer, protobuf: ProtobufTraceSerializer };

const SCOPE = { name: 'gatehouse', version: '1' };

/** Of a name or a message of a span. */
const NAME_LIMIT: TextLimit = { length: 255, unit: 'characters' };
const MESSAGE_LIMIT: TextLimit = { length: 4_095, unit: 'characters' };

/** How a trace request of OTLP over HTTP is put together of its resources (opentelemetry-proto 1.x, ExportTraceServiceRequest). */
export const TRACE_REQUEST: Readonly<Record<BodyEncoding, Pick<BodyForm, 'first' | 'between' | 'last'>>> = {
  json: { first: '{"resourceSpans":[', between: ',', last: ']}' },
  // Messages one after the other are one message with the fields of both.
  protobuf: { first: '', between: '', last: '' },
};

/**
 * Writes the spans of a generation, under a resource of their own, as a part of a trace request.
 *
 * @param limits of the values of attributes; what is longer is cut
 */
export function encodeSpans({ resource, spans }: GenerationSpans, limits: ValueLimits, encoding: BodyEncoding): Buffer {
  const shared = resourceFromAttributes(mutable(resource.within(limits)));
  const request = SERIALIZERS[encoding].serializeRequest(spans.map((span) => readableSpan(span, shared, limits)));
  // The serializers give nothing only where they fail, which well-formed attributes do not let them.
  const { first, last } = TRACE_REQUEST[encoding];
  return Buffer.from(request ?? []).subarray(first.length, request === undefined ? 0 : request.length - last.length);
}

function readableSpan(span: Span, resource: ReadableSpan['resource'], limits: ValueLimits): ReadableSpan {
  const { traceId, parentSpanId, status } = span;
  const startTime = hrTimeOf(span.startedAt);
  return {
    name: cutText(span.name.toWellFormed(), NAME_LIMIT),
    kind: span.kind,
    spanContext: () => contextOf(traceId, span.spanId),
    ...(parentSpanId !== undefined && { parentSpanContext: contextOf(traceId, parentSpanId) }),
    startTime,
    // Clocks are set back at times; receivers refuse a span that ends before it starts.
    endTime: hrTimeOf(Math.max(span.startedAt, span.endedAt)),
    status: {
      code: status.code,
      ...(status.message !== undefined && { message: cutText(status.message.toWellFormed(), MESSAGE_LIMIT) }),
    },
    attributes: mutable(span.attributes.within(limits)),
    links: [],
    events: span.events.map(({ name, at, attributes }) => ({
      name,
      time: hrTimeOf(at),
      attributes: mutable(attributes.within(limits)),
    })),
    duration: [0, 0],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

/** The interface of OpenTelemetry has lists that can be changed, although nothing changes them. */
function mutable(attributes: AttributeRecord): Record<string, string | number | boolean | string[]> {
  return attributes as Record<string, string | number | boolean | string[]>;
}

const NANOSECONDS = 1_000_000_000;

function hrTimeOf(milliseconds: number): HrTime {
  const known = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
  const seconds = Math.floor(known / 1_000);
  const nanoseconds = Math.round((known - seconds * 1_000) * 1e6);
  return nanoseconds < NANOSECONDS ? [seconds, nanoseconds] : [seconds + 1, 0];
}
