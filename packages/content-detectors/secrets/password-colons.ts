import type { MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { LAST_EXTENDED_LETTER } from '../text/character-kinds.js';
import { findPasswordBehindColon } from './named-secrets.js';

const WIDE_COLON = '：';

/** Finds passwords behind words of alphabets whose letters are none of words here: from each colon on. */
export function findPasswordsBehindColons(part: TextPart, from: number, found: MatchHandler): void {
  const { text, words } = part;
  if (words.isAsciiThroughout) return;
  for (const colon of words.colons) {
    // The last letter of the Vietnamese word is one of ASCII.
    if (colon >= from && (isOtherLetter(text, colon - 1) || isOtherLetter(text, colon - 2)))
      findPasswordBehindColon(text, colon, found);
  }
  for (let colon = part.indexOf(WIDE_COLON, from); colon !== -1; colon = part.indexOf(WIDE_COLON, colon + 1))
    findPasswordBehindColon(text, colon, found);
}

function isOtherLetter(text: string, position: number): boolean {
  return text.charCodeAt(position) > LAST_EXTENDED_LETTER;
}
