import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { codeUnitsIn } from '../../content/inspectors/presidio/analyzer-answer.js';

/** A part of a text that is to be masked, as an inspector says it. */
export interface FoundSpan {
  /** In code points, of any form. */
  readonly start: unknown;
  readonly end: unknown;
  /** What it is, such as `EMAIL_ADDRESS`. */
  readonly kind: string;
}

/**
 * Replaces parts of a text by what they are, in brackets. Of parts that overlap, the first stands for all.
 *
 * @throws InspectorFailure for a part that is not in the text
 */
export function masked(text: string, found: readonly FoundSpan[]): string {
  const unitsOf = codeUnitsIn(text);
  const spans = found
    .map(({ start, end, kind }) => ({ start: unitsOf(start), end: unitsOf(end), kind }))
    .sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
  let done = 0;
  let result = '';
  for (const { start, end, kind } of spans) {
    if (start === undefined || end === undefined || start >= end) {
      throw new InspectorFailure('an offset lies outside the text');
    }
    if (start >= done) result += `${text.slice(done, start)}[${kind.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}]`;
    done = Math.max(done, end);
  }
  return result + text.slice(done);
}
