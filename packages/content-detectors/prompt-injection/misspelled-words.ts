import type { MatchHandler, Span } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { CHAT_WORDS, isReadAs, KNOWN_WORDS, letterFor, LETTERS_OF_DIGITS, withoutDigits } from './known-words.js';
import { findRewrittenPhrases, type Rewritten, rewrittenBy } from './rewritten-stretches.js';
import { registerEnds } from './telling-words.js';

/** Shorter words become other words by a single letter. */
const MINIMUM_LENGTH_WITH_SLIP = 6;

/** Words from this length on are known although several letters in a row are wrong, as in `instrucshuns`. */
const MINIMUM_LENGTH_WITH_SEVERAL = 10;
const MAXIMUM_WRONG = 3;

/** The longest of the known words. */
const MAXIMUM_LENGTH = 12;

/** Words that one letter sets apart from known ones. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  (
    'forgot safely overrode repeal revel deplete fillers filers folders pervious institution institutions restorations ' +
    'instigations instructors'
  ).split(' '),
);

const HAS_LETTER = /[A-Za-z]/;
const HAS_DIGIT = /\d/;
const HAS_SIGN = /[@$!|]/;

/** Words of letters, digits and the signs that stand for letters. */
const WORDS_WITH_SIGNS = /[A-Za-z0-9@$!|]+/g;

/** Such words by their first sign, with what stands in front of it: looking for the sign first is faster. */
const SIGNED = /[@$!|](?<=(?<![A-Za-z0-9@$!|])([A-Za-z0-9]{0,12})[@$!|])[A-Za-z0-9@$!|]{0,12}/g;

/** Signs that often stand behind a word, and do not belong to it. */
const BEHIND_WORD = /[!|]+$/;

/** The known words by their first and last letters. */
const WORDS_BY_ENDS: ReadonlyMap<string, readonly string[]> = wordsByEnds();

for (const [first, last] of WORDS_BY_ENDS.keys()) {
  for (const begun of writingsOf(first!)) for (const ended of writingsOf(last!)) registerEnds(begun, ended);
}

/**
 * Finds phrases of prompt injections in which letters have changed places, one of a word is wrong, missing or too many, or digits and
 * signs stand for letters, by writing them as they are spelled. One such word alone is a slip of the pen, or a name.
 *
 * @param candidates words of the part that may be such words
 */
export function findMisspelledPhrases(
  part: TextPart,
  from: number,
  candidates: readonly Span[],
  found: MatchHandler,
): void {
  const { text } = part;
  const misspelled = candidates.filter(({ start, end }) => correctedWord(text.slice(start, end)) !== undefined);
  misspelled.push(...signedWordsIn(part, from));
  misspelled.sort((one, other) => one.start - other.start);
  findRewrittenPhrases(text, misspelled, corrected, found);
}

/** The known words in which signs stand for letters, by where their first sign is: one in a part of a text. */
function signedWordsIn({ text, to }: TextPart, from: number): Span[] {
  const words: Span[] = [];
  const offset = Math.max(0, from - MAXIMUM_LENGTH - 1);
  for (const { index, 0: rest, 1: before } of text.slice(offset, to + MAXIMUM_LENGTH).matchAll(SIGNED)) {
    const sign = offset + index;
    if (sign < from || sign >= to) continue;
    const start = sign - before!.length;
    for (const word of [before! + rest, (before! + rest).replace(BEHIND_WORD, '')]) {
      if (signedWord(word) !== undefined) words.push({ start, end: start + word.length });
    }
  }
  return words;
}

/** @returns the known word in which signs stand for letters */
function signedWord(written: string): string | undefined {
  if (written.length > MAXIMUM_LENGTH || !HAS_SIGN.test(written)) return undefined;
  const small = written.toLowerCase();
  return Array.from(KNOWN_WORDS).find((word) => isReadAs(small, word));
}

/** @returns the word as it is spelled; undefined for what is no misspelled word */
function correctedWord(word: string): string | undefined {
  const written = word.toLowerCase();
  const spelled = withoutDigits(written);
  const similar = WORDS_BY_ENDS.get(endsOf(spelled));
  if (similar === undefined || KNOWN_WORDS.has(written) || OTHER_WORDS.has(written) || !HAS_LETTER.test(written))
    return undefined;
  return similar.find((known) => isMeant(spelled, known) || isReadAs(written, known));
}

function isMeant(written: string, word: string): boolean {
  if (written === word || (written.length === word.length && inOrder(written) === inOrder(word))) return true;
  if (word.length < MINIMUM_LENGTH_WITH_SLIP) return false;
  return isSlipApart(written, word, word.length < MINIMUM_LENGTH_WITH_SEVERAL ? 1 : MAXIMUM_WRONG);
}

/** Whether words are the same but for so many letters in one place, of which one may be missing or too many. */
function isSlipApart(one: string, other: string, most: number): boolean {
  const longer = Math.max(one.length, other.length);
  if (longer - Math.min(one.length, other.length) > 1) return false;
  let before = 0;
  while (before < longer && one.charAt(before) === other.charAt(before)) before += 1;
  let behind = 0;
  while (behind < longer - before && one.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  return before + behind >= longer - most;
}

/** All letters in the order of the alphabet. */
function inOrder(word: string): string {
  return Array.from(word).sort().join('');
}

function endsOf(word: string): string {
  return word.charAt(0) + word.slice(-1);
}

function wordsByEnds(): Map<string, string[]> {
  const byEnds = new Map<string, string[]>();
  for (const word of KNOWN_WORDS) byEnds.set(endsOf(word), [...(byEnds.get(endsOf(word)) ?? []), word]);
  return byEnds;
}

/** A letter, and the digit that stands for it. */
function writingsOf(letter: string): string[] {
  return [letter, ...Array.from(LETTERS_OF_DIGITS.keys()).filter((digit) => LETTERS_OF_DIGITS.get(digit) === letter)];
}

/** Corrects all misspelled words, and writes letters for digits and signs in the others. */
function corrected(stretch: string): Rewritten {
  return rewrittenBy(stretch, WORDS_WITH_SIGNS, (word) => {
    if (HAS_SIGN.test(word)) return withoutSigns(word);
    const written = CHAT_WORDS.get(word.toLowerCase()) ?? correctedWord(word);
    return written ?? (HAS_LETTER.test(word) && HAS_DIGIT.test(word) ? withoutDigits(word) : undefined);
  });
}

/** Writes letters for the signs of a word, but not for those that stand behind it or between two words. */
function withoutSigns(written: string): string | undefined {
  const word = written.replace(BEHIND_WORD, '');
  const known = signedWord(written);
  if (known !== undefined) return known;
  const behind = written.slice(word.length);
  const knownBefore = signedWord(word);
  if (knownBefore !== undefined) return knownBefore + behind;
  if (written.length > MAXIMUM_LENGTH || written.split(HAS_SIGN).some((part) => KNOWN_WORDS.has(part.toLowerCase())))
    return undefined;
  if (isReadAs(written.toLowerCase(), 'all')) return 'all';
  return /[A-Za-z0-9]/.test(word) ? word.replace(/[^A-Za-z]/g, letterFor) + behind : undefined;
}
