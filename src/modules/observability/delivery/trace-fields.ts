import { isObject } from '../../../http/validation/constraints.js';
import type { GenerationEvent } from './generation-event.js';
import { cutText, type TextLimit } from './text-cut.js';

/** The most fields of `trace` and `metadata` that are sent on. */
const MAXIMUM_FIELDS = 128;

const NAME_LIMIT: TextLimit = { length: 128, unit: 'characters' };

/** What a request says in its `trace` object (docs/interface/destination-types.md#trace). */
export interface TraceFields {
  readonly traceName: string | undefined;
  /** The name of a span around the generation; there is none without. */
  readonly spanName: string | undefined;
  readonly generationName: string | undefined;
  readonly environment: string | undefined;
  readonly release: string | undefined;
  readonly tags: readonly string[];
  /** A trace of W3C's form in which the generation is to be. */
  readonly w3cTraceId: string | undefined;
  /** Any other text that names the trace of several generations. */
  readonly otherTraceId: string | undefined;
  readonly w3cParentSpanId: string | undefined;
  readonly otherParentSpanId: string | undefined;
  /** All other fields of `trace`, and those of `metadata` that `trace` does not have, by well-formed names. */
  readonly others: ReadonlyMap<string, unknown>;
}

/** Fields of `trace` that have a place of their own, so that they are not among the others. */
const PLACED = new Set(['trace_id', 'parent_span_id', 'trace_name', 'span_name', 'generation_name']);

/** Reads the `trace` object and the `metadata` of a generation. What has another form than expected is sent as any other field. */
export function traceFieldsOf(event: GenerationEvent): TraceFields {
  const trace: Readonly<Record<string, unknown>> = isObject(event.trace) ? event.trace : {};
  const traceId = textOf(trace['trace_id']);
  const parentSpanId = textOf(trace['parent_span_id']);
  const w3cTraceId = hexOf(traceId, 32);
  // A parent is only found in the trace that it is of.
  const w3cParentSpanId = traceId === undefined ? undefined : hexOf(parentSpanId, 16);
  const otherTraceId = w3cTraceId === undefined ? traceId : undefined;
  const otherParentSpanId =
    traceId === undefined || w3cParentSpanId !== undefined ? undefined : textOf(trace['parent_span_id']);
  const others = new Map<string, unknown>();
  if (otherTraceId !== undefined) others.set('trace_id', otherTraceId);
  if (parentSpanId !== undefined && w3cParentSpanId === undefined) others.set('parent_span_id', parentSpanId);
  const metadata: Readonly<Record<string, unknown>> = isObject(event.metadata) ? event.metadata : {};
  for (const [name, value] of [...fieldsOf(trace, PLACED), ...fieldsOf(metadata)]) {
    if (others.size < MAXIMUM_FIELDS && !others.has(name)) others.set(name, value);
  }
  return {
    traceName: textOf(trace['trace_name']),
    spanName: textOf(trace['span_name']),
    generationName: textOf(trace['generation_name']),
    environment: textOf(trace['environment']),
    release: textOf(trace['release']),
    tags: tagsOf(trace['tags']),
    w3cTraceId,
    otherTraceId,
    w3cParentSpanId,
    otherParentSpanId,
    others,
  };
}

function fieldsOf(fields: Readonly<Record<string, unknown>>, without?: ReadonlySet<string>): [string, unknown][] {
  return Object.entries(fields)
    .filter(([name]) => without?.has(name) !== true)
    .map(([name, value]) => [cutText(name.toWellFormed(), NAME_LIMIT), value]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

/** Zeros alone are no id. */
function hexOf(text: string | undefined, digits: number): string | undefined {
  const hex = text?.toLowerCase();
  return hex?.length === digits && /^[0-9a-f]+$/.test(hex) && !/^0+$/.test(hex) ? hex : undefined;
}

function tagsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((tag) => textOf(tag) ?? []).slice(0, MAXIMUM_FIELDS);
}
