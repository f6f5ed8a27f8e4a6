import type { LongWork } from '../../../concurrency/long-work.js';
import type { Span } from '../../../../packages/content-detectors/index.js';
import { UnescapedText } from './unescaped-text.js';

/** One way in which a text can be read. */
export interface TextReading {
  readonly text: string;
  /** Whether this is the only reading, so that nothing is found twice. */
  readonly isOnly: boolean;
  /** The stretches with possible matches that another reading does not have, in the order of the text. */
  stretches(): Iterable<Span>;
  /** The place of a part of this reading in the text. */
  placeOf(span: Span): Span;
}

/**
 * The ways in which a text is scanned: as it is, and, where it has escapes, without them as well. In JSON, in logs and in
 * source code a value behind a line break would else begin with the letter of `\n`, and in addresses and HTML an encoded at sign or a
 * character that is not seen would part a value in two (docs/interface/content-filters.md#escapes).
 *
 * @param work lets others use the event loop where the text is long
 * @throws the reason of the work's signal
 */
export async function readingsOf(text: string, work: LongWork): Promise<readonly TextReading[]> {
  const whole = (): Iterable<Span> => [{ start: 0, end: text.length }];
  const unescaped = await UnescapedText.of(text, work);
  if (unescaped === undefined) return [{ text, isOnly: true, stretches: whole, placeOf: itself }];
  return [
    // A part of an escape is never taken out alone, so that JSON stays JSON.
    { text, isOnly: false, stretches: whole, placeOf: (span) => unescaped.withWholeEscapes(span) },
    {
      text: unescaped.text,
      isOnly: false,
      stretches: () => unescaped.stretches(),
      placeOf: (span) => unescaped.placeOf(span),
    },
  ];
}

function itself(span: Span): Span {
  return span;
}
