import type { Span } from './detector.js';
import type { RedactedSpan } from './redaction.js';

/** What is scanned of a text of a request, and how redactions are put back into it. */
export interface ScanTarget {
  readonly text: string;
  /** The text of the request without what was matched. @param spans at least one, in any order; they may overlap */
  redacted(spans: readonly RedactedSpan[]): string;
  /** Where in the text of the request a part of what is scanned stands. */
  placeOf(span: Span): Span;
}
