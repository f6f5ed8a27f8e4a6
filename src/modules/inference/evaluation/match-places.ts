import { joinPath } from '../../../http/errors/issue.js';
import type { TextMatch } from '../../content/content-result.js';
import { nameOfFilter } from '../pipeline/request/filter-name.js';
import type { TextPlace } from '../pipeline/content/fields/request-texts.js';
import type { EvaluatedMatch } from './dto/evaluated-content.dto.js';

interface PlacedText {
  readonly text: string;
  readonly place: TextPlace;
}

/**
 * Says where matches are, in the order of the request.
 *
 * @param texts all texts that were scanned
 */
export function placesOfMatches(matches: readonly TextMatch[], texts: readonly PlacedText[]): EvaluatedMatch[] {
  const ordered = matches.toSorted((one, other) => one.textIndex - other.textIndex || one.start - other.start);
  const counter = new CodePointCounter();
  return ordered.map(({ textIndex, start, end, filter, action, pattern = null }) => {
    const { text, place } = texts[textIndex]!;
    const offset = place.isVerbatim ? counter.pointsBefore(textIndex, text, start) : null;
    const length = place.isVerbatim ? codePointsOf(text.slice(start, end)) : null;
    return {
      path: pathOf(place),
      ...messageAndPart(place),
      offset,
      length,
      filter: nameOfFilter(filter),
      action,
      pattern,
    };
  });
}

/** A place as answers name it, for example `messages[0].content[1].text`. */
export function pathOf({ steps }: TextPlace): string {
  return steps.reduce<string>((path, step) => joinPath(path, step), '');
}

function messageAndPart({
  steps: [field, message, ofMessage, part],
}: TextPlace): Pick<EvaluatedMatch, 'message' | 'part'> {
  const isInMessage = field === 'messages' && typeof message === 'number';
  const isInPart = isInMessage && ofMessage === 'content' && typeof part === 'number';
  return { message: isInMessage ? message : null, part: isInPart ? part : null };
}

/** Counts code points before offsets that only grow, so that each text is gone through once. */
class CodePointCounter {
  private textIndex = -1;
  private offset = 0;
  private points = 0;

  pointsBefore(textIndex: number, text: string, offset: number): number {
    if (textIndex !== this.textIndex) {
      this.textIndex = textIndex;
      this.offset = 0;
      this.points = 0;
    }
    this.points += codePointsOf(text.slice(this.offset, offset));
    this.offset = offset;
    return this.points;
  }
}

function codePointsOf(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    count += 1;
    if (text.codePointAt(index)! > 0xffff) index += 1;
  }
  return count;
}
