import type { Span } from '../../../../packages/content-detectors/index.js';

/** A match that is taken out, and what stands in its place. */
export interface RedactedSpan extends Span {
  readonly placeholder: string;
}

/**
 * Joins redactions that overlap: one placeholder stands for all of them, that of the longest
 * (docs/interface/content-filters.md#precedence). Those that only touch stay apart.
 *
 * @returns disjoint redactions in the order of the text
 */
export function joinOverlapping(spans: readonly RedactedSpan[]): RedactedSpan[] {
  const ordered = spans.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const joined: RedactedSpan[] = [];
  let longest = 0;
  for (const span of ordered) {
    const last = joined.at(-1);
    const length = span.end - span.start;
    if (last === undefined || span.start >= last.end) {
      joined.push(span);
      longest = length;
      continue;
    }
    const placeholder = length > longest ? span.placeholder : last.placeholder;
    longest = Math.max(longest, length);
    joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end), placeholder };
  }
  return joined;
}

/** Puts placeholders into a text. @param spans disjoint, in the order of the text */
export function replaceSpans(text: string, spans: readonly RedactedSpan[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end, placeholder } of spans) {
    pieces.push(text.slice(position, start), placeholder);
    position = end;
  }
  pieces.push(text.slice(position));
  return pieces.join('');
}
