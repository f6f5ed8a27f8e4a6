import { AsciiSet, isAlphanumeric } from '../builtins/character-kinds.js';
import type { Span } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { isReadAs, KNOWN_WORDS, letterFor, LETTERS_OF_SIGNS } from './known-words.js';

/** Words of letters, digits and the signs that stand for letters. */
export const WORDS_WITH_SIGNS = /[A-Za-z0-9@$!|]+/g;

export const HAS_SIGN = /[@$!|]/;

/** Signs that often stand behind a word, and do not belong to it. */
const BEHIND_WORD = /[!|]+$/;

/** A word of a phrase, of which nothing but signs may be left. */
const ALL = 'all';

/** The shortest and the longest of the known words that signs can be in. */
const MINIMUM_LENGTH = 5;
const MAXIMUM_LENGTH = 12;

const LETTER_OR_DIGIT = /[A-Za-z0-9]/;

const IS_IN_WORD = new AsciiSet((character) => LETTER_OR_DIGIT.test(character) || LETTERS_OF_SIGNS.has(character));
const IS_SIGN = new AsciiSet((character) => LETTERS_OF_SIGNS.has(character));

/** The known words in which signs stand for letters, by where their first sign is: one in a part of a text. */
export function signedWordsIn({ text, to }: TextPart, from: number): Span[] {
  const words: Span[] = [];
  const stretch = text.slice(from, to);
  // The signs are rare, so a search for each is faster than a look at each character.
  for (const sign of LETTERS_OF_SIGNS.keys()) {
    for (let index = stretch.indexOf(sign); index !== -1; index = stretch.indexOf(sign, index + 1)) {
      const word = signedWordAt(text, from + index);
      if (word !== undefined) words.push(word);
    }
  }
  return words;
}

/** Writes letters for the signs of a word, but not for those that stand behind it or between two words. */
export function withoutSigns(written: string): string | undefined {
  for (const word of [written, written.replace(BEHIND_WORD, '')]) {
    const known = knownWord(word);
    if (known !== undefined) return known + written.slice(word.length);
  }
  if (written.length > MAXIMUM_LENGTH || written.split(HAS_SIGN).some((part) => KNOWN_WORDS.has(part.toLowerCase())))
    return undefined;
  if (isReadAs(written.toLowerCase(), ALL)) return ALL;
  const word = written.replace(BEHIND_WORD, '');
  return LETTER_OR_DIGIT.test(word) ? word.replace(/[^A-Za-z]/g, letterFor) + written.slice(word.length) : undefined;
}

/** The known word whose first sign stands at a position. */
function signedWordAt(text: string, position: number): Span | undefined {
  let start = position;
  while (position - start < MAXIMUM_LENGTH && isAlphanumeric(text.charCodeAt(start - 1))) start -= 1;
  if (IS_SIGN.has(text.charCodeAt(start - 1))) return undefined;
  let end = position + 1;
  while (end - start <= MAXIMUM_LENGTH + 1 && IS_IN_WORD.has(text.charCodeAt(end))) end += 1;
  if (end - start < MINIMUM_LENGTH) return undefined;
  const written = text.slice(start, end);
  for (const word of [written, written.replace(BEHIND_WORD, '')]) {
    if (knownWord(word) !== undefined) return { start, end: start + word.length };
  }
  return undefined;
}

function knownWord(written: string): string | undefined {
  if (written.length > MAXIMUM_LENGTH || !HAS_SIGN.test(written)) return undefined;
  const small = written.toLowerCase();
  for (const word of KNOWN_WORDS) if (isReadAs(small, word)) return word;
  return undefined;
}
