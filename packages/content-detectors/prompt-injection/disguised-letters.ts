import type { MatchHandler, Span } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findPhrasesIn } from './injection-phrases.js';
import { plainForm } from './plain-letters.js';
import { type Rewritten, rewrittenBy } from './rewritten-stretches.js';

/** How far in front of its first changed character a phrase may begin, in code units. */
const REACH_BEFORE = 160;

/** How far beyond a part a phrase is followed, in code units: as much as one with two dozen characters behind each letter takes. */
const REACH_BEHIND = 1_024;

const NOT_ASCII = /[\0\u{80}-\u{10ffff}]/gu;

const TAG = /[\u{e0020}-\u{e007e}]/u;

/** Where tags begin or end beside what is seen. */
const TAG_BORDER = new RegExp(`(?<!${TAG.source})(?=${TAG.source})|(?<=${TAG.source})(?!${TAG.source})`, 'gu');

/**
 * Finds phrases of prompt injections with letters that look like others, or with characters between them that are not seen. A phrase
 * belongs to the part in which its first such character stands. Those without one are found as they stand.
 */
export function findDisguisedPhrases({ text, to, words }: TextPart, from: number, found: MatchHandler): void {
  if (words.isAsciiThroughout || firstDisguiseIn(text.slice(from, to)) === -1) return;
  const offset = Math.max(0, from - REACH_BEFORE);
  const stretch = text.slice(offset, to + REACH_BEHIND);
  for (const { text: plain, originalOf } of readingsOf(stretch)) {
    findPhrasesIn(plain, (phraseStart, phraseEnd, name) => {
      const { start, end: last } = originalOf(phraseStart, phraseEnd - 1);
      // What is not seen behind the last letter is no part of the phrase.
      const end = last + String.fromCodePoint(stretch.codePointAt(last)!).length;
      const first = firstDisguiseIn(stretch.slice(start, end));
      const disguise = offset + start + first;
      if (first !== -1 && disguise >= from && disguise < to) found(offset + start, offset + end, name);
    });
  }
}

/**
 * A stretch in plain letters. Tags that touch what is seen are letters of the same word, a text beside it, or not there: a model reads
 * what nobody sees, beside which anything may stand, and what one sees, wherever tags are.
 */
function readingsOf(stretch: string): Rewritten[] {
  const inPlainLetters = (text: string): Rewritten =>
    rewrittenBy(text, NOT_ASCII, (character) => plainForm(character).plain);
  if (!TAG.test(stretch)) return [inPlainLetters(stretch)];
  const parted = rewrittenBy(stretch, TAG_BORDER, () => ' ');
  const apart = inPlainLetters(parted.text);
  const originalOf = (start: number, end: number): Span => {
    const place = apart.originalOf(start, end);
    return parted.originalOf(place.start, place.end);
  };
  const withoutTags = rewrittenBy(stretch, NOT_ASCII, (character) =>
    TAG.test(character) ? '' : plainForm(character).plain,
  );
  return [inPlainLetters(stretch), { text: apart.text, originalOf }, withoutTags];
}

/** Where the first character stands that readers take for another one, or do not see; -1 if there is none. */
function firstDisguiseIn(text: string): number {
  for (const { index, 0: character } of text.matchAll(NOT_ASCII)) if (plainForm(character).isDisguise) return index;
  return -1;
}
