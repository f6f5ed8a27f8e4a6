import type { MatchHandler, Span } from '../text/detector.js';
import { findPhrasesIn } from './injection-phrases.js';

/** How far around a telling word the phrase may reach that it belongs to, in code units. */
const REACH = 160;

/** A stretch of a text, written as a reader understands it. */
export interface Rewritten {
  readonly text: string;
  /** Where a part of it stands in the stretch as it was. */
  readonly originalOf: (start: number, end: number) => Span;
}

/**
 * Finds phrases that a stretch of a text has when it is written in another way. Each has one of the words that tell that it is to be
 * written so: the others are found as they stand.
 *
 * @param words the words that tell, in the order of the text
 */
export function findRewrittenPhrases(
  text: string,
  words: readonly Span[],
  rewrite: (stretch: string) => Rewritten,
  found: MatchHandler,
): void {
  for (let index = 0; index < words.length;) {
    const first = index;
    do index += 1;
    while (index < words.length && words[index]!.start - words[index - 1]!.end <= 2 * REACH);
    const from = Math.max(0, words[first]!.start - REACH);
    const { text: rewritten, originalOf } = rewrite(text.slice(from, words[index - 1]!.end + REACH));
    findPhrasesIn(rewritten, (phraseStart, phraseEnd, name) => {
      const original = originalOf(phraseStart, phraseEnd);
      const start = from + original.start;
      const end = from + original.end;
      for (let word = first; word < index; word += 1) {
        if (words[word]!.start < end && words[word]!.end > start) {
          found(start, end, name);
          return;
        }
      }
    });
  }
}

/**
 * A stretch in which matches of an expression are written in another way.
 *
 * @param writing of a match; undefined for one that stays as it is
 */
export function rewrittenBy(
  stretch: string,
  expression: RegExp,
  writing: (match: string) => string | undefined,
): Rewritten {
  let text = '';
  // By how much what follows a place in the rewritten text has moved.
  const places: number[] = [0];
  const moves: number[] = [0];
  let copied = 0;
  for (const { index, 0: match } of stretch.matchAll(expression)) {
    const written = writing(match);
    if (written === undefined) continue;
    text += stretch.slice(copied, index) + written;
    copied = index + match.length;
    if (written.length !== match.length) {
      places.push(text.length);
      moves.push(copied - text.length);
    }
  }
  text += stretch.slice(copied);
  const originalPlace = (place: number): number => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (places[middle]! > place) high = middle - 1;
      else low = middle;
    }
    return place + moves[low]!;
  };
  return { text, originalOf: (start, end) => ({ start: originalPlace(start), end: originalPlace(end) }) };
}
