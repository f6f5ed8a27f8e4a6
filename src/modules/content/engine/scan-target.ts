import type { Span } from '../../../../packages/content-detectors/index.js';
import type { RedactedSpan } from './redaction.js';

/** What is scanned of a text of a request, and how redactions are put back into it. */
export interface ScanTarget {
  readonly text: string;
  /** How much of it stands in front of the text of the request. What lies within that is a match of another text. */
  readonly leadLength: number;
  /** The text of the request without what was matched. @param spans at least one, in any order; they may overlap */
  redacted(spans: readonly RedactedSpan[]): string;
  /** The place of a part of the scanned text in the text of the request. */
  placeOf(span: Span): Span;
}
