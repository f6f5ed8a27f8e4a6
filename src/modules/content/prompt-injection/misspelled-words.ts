import type { MatchHandler, Span } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { MISSPELLED, registerEnds } from './candidate-words.js';
import { findRewrittenPhrases, type Rewritten, rewrittenBy } from './rewritten-stretches.js';
import { HAS_SIGN, signedWordsIn, withoutSigns, WORDS_WITH_SIGNS } from './signs-for-letters.js';
import { CHAT_WORDS, isReadAs, KNOWN_WORDS, LETTERS_OF_DIGITS, withoutDigits } from './known-words.js';

/** Shorter words become other words by a single letter. */
const MINIMUM_LENGTH_WITH_SLIP = 6;

/** Words from this length on are known although several letters in a row are wrong, as in `instrucshuns`. */
const MINIMUM_LENGTH_WITH_SEVERAL = 10;
const MAXIMUM_WRONG = 3;

/** Words that one letter sets apart from those above. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  'forgot',
  'safely',
  'overrode',
  'repeal',
  'revel',
  'deplete',
  'fillers',
  'filers',
  'folders',
  'pervious',
  'institution',
  'institutions',
  'restorations',
  'instigations',
  'instructors',
]);

/** The digits, by their letters. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  Array.from(LETTERS_OF_DIGITS, ([digit, letter]) => [letter, digit]),
);

const HAS_LETTER = /[A-Za-z]/;
const HAS_DIGIT = /\d/;

const LAST_ASCII = 0x7f;
const FIRST_LETTER = 'a'.charCodeAt(0);

/** The letters of ASCII, and those that digits stand for, by their order in the alphabet; the last number is that of other digits. */
const ORDER = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  const letter = LETTERS_OF_DIGITS.get(character) ?? character;
  return /[a-z]/.test(letter) ? letter.charCodeAt(0) - FIRST_LETTER : 26;
});
const ORDERS = 32;

/** A word, and the letters that it has, each as a bit. */
interface WordLetters {
  readonly word: string;
  readonly letters: number;
}

/** The words by their first and last letters. */
const WORDS_BY_ENDS: readonly (readonly WordLetters[] | undefined)[] = wordsByEnds();

for (const word of KNOWN_WORDS) {
  const slip = word.length >= MINIMUM_LENGTH_WITH_SLIP ? 1 : 0;
  for (const first of writingsOf(word.charAt(0))) {
    for (const last of writingsOf(word.slice(-1))) {
      for (let length = word.length - slip; length <= word.length + slip; length += 1) {
        registerEnds(first, last, length, MISSPELLED);
      }
    }
  }
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
  const misspelled = candidates.filter(({ start, end }) => correctedWord(text, start, end) !== undefined);
  misspelled.push(...signedWordsIn(part, from));
  if (misspelled.length === 0) return;
  misspelled.sort((one, other) => one.start - other.start);
  findRewrittenPhrases(text, misspelled, corrected, found);
}

/** @returns the word as it is spelled; undefined for what is no misspelled word */
function correctedWord(text: string, start: number, end: number): string | undefined {
  const similar = WORDS_BY_ENDS[endsOf(text, start, end)];
  if (similar === undefined) return undefined;
  // Most words have other letters, which is seen without a copy of them.
  const letters = lettersOf(text, start, end);
  if (!similar.some((word) => mayBeMeant(letters, word.letters))) return undefined;
  const written = text.slice(start, end).toLowerCase();
  if (KNOWN_WORDS.has(written) || OTHER_WORDS.has(written) || !HAS_LETTER.test(written)) return undefined;
  const spelled = HAS_DIGIT.test(written) ? withoutDigits(written) : written;
  return similar.find(({ word }) => isMeant(spelled, word) || isReadAs(written, word))?.word;
}

/** Whether no more than two letters are in only one of two words: one that is wrong, and the right one. */
function mayBeMeant(letters: number, others: number): boolean {
  const different = letters ^ others;
  const rest = different & (different - 1);
  return (rest & (rest - 1)) === 0;
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

function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let position = start; position < end; position += 1) letters |= 1 << ORDER[text.charCodeAt(position)]!;
  return letters;
}

/** The first and the last letter of a word as one number. */
function endsOf(text: string, start: number, end: number): number {
  return ORDER[text.charCodeAt(start)]! * ORDERS + ORDER[text.charCodeAt(end - 1)]!;
}

function wordsByEnds(): (readonly WordLetters[] | undefined)[] {
  const byEnds = new Map<number, WordLetters[]>();
  for (const word of KNOWN_WORDS) {
    const ends = endsOf(word, 0, word.length);
    byEnds.set(ends, [...(byEnds.get(ends) ?? []), { word, letters: lettersOf(word, 0, word.length) }]);
  }
  return Array.from({ length: ORDERS * ORDERS }, (_, ends) => byEnds.get(ends));
}

/** A letter, and the digit that stands for it. */
function writingsOf(letter: string): string[] {
  const digit = DIGITS.get(letter);
  return digit === undefined ? [letter] : [letter, digit];
}

/** Corrects all misspelled words, and writes letters for digits and signs in the others. */
function corrected(stretch: string): Rewritten {
  return rewrittenBy(stretch, WORDS_WITH_SIGNS, (word) => {
    if (HAS_SIGN.test(word)) return withoutSigns(word);
    const written = CHAT_WORDS.get(word.toLowerCase()) ?? correctedWord(word, 0, word.length);
    return written ?? (HAS_LETTER.test(word) && HAS_DIGIT.test(word) ? withoutDigits(word) : undefined);
  });
}
