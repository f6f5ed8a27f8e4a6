import { createHash } from 'node:crypto';
import type { GenerationEvent } from '../generation-event.js';
import type { TraceFields } from '../trace-fields.js';

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** Where the spans of a generation are: all ids in hexadecimal, and functions of the event. */
export interface SpanIds {
  readonly trace: string;
  readonly generation: string;
  /** The span around it that `trace.span_name` asks for. */
  readonly around: string;
  /** Generating the answer, without the time to its first token. */
  readonly answer: string;
  /** Of each attempt. */
  readonly attempts: readonly string[];
  /** The span of the caller below which all are; undefined without one. */
  readonly caller: string | undefined;
}

/**
 * Derives the ids of a generation's spans, so that a repeated delivery has the same (docs/interface/destination-types.md#ids). Ids of the
 * request's `trace` object that have W3C's form (Trace Context, 3.2.2) stay as they are; any other text stands for the same trace within the
 * organization.
 */
export function spanIdsOf(event: GenerationEvent, trace: TraceFields): SpanIds {
  const own = digest(event.id);
  const { w3cTraceId, otherTraceId, w3cParentSpanId, otherParentSpanId } = trace;
  return {
    trace: w3cTraceId ?? shared(event, otherTraceId, TRACE_DIGITS) ?? own.slice(0, TRACE_DIGITS),
    generation: own.slice(0, SPAN_DIGITS),
    around: childOf(event, 'span'),
    answer: childOf(event, 'generation'),
    attempts: event.attempts.map((_, index) => childOf(event, `attempt-${index}`)),
    caller: w3cParentSpanId ?? shared(event, otherParentSpanId, SPAN_DIGITS),
  };
}

function childOf(event: GenerationEvent, name: string): string {
  return digest(`${event.id}:${name}`).slice(0, SPAN_DIGITS);
}

/** With the organization, so that no other organization can guess its ids at a receiver that both use. */
function shared({ organizationId }: GenerationEvent, text: string | undefined, digits: number): string | undefined {
  return text === undefined ? undefined : digest(`${organizationId}:${text}`).slice(0, digits);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
