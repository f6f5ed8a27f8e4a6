import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Attributes } from './attributes.js';

/** The kinds of the spans that are written. */
export const CLIENT = SpanKind.CLIENT;
export const INTERNAL = SpanKind.INTERNAL;

export const OK = SpanStatusCode.OK;
export const FAILED = SpanStatusCode.ERROR;

/** What happened within a span. */
export interface SpanEvent {
  readonly name: string;
  /** Milliseconds of Unix time with fractions. */
  readonly at: number;
  readonly attributes: Attributes;
}

/** A span before it is written. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds of Unix time with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code: SpanStatusCode; readonly message?: string };
}

/** The spans of one generation, its own span first, and what says where they come from. */
export interface GenerationSpans {
  readonly resource: Attributes;
  readonly spans: readonly Span[];
}
