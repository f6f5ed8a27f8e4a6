import type { MatchHandler, Span } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { edgesOfWord, PAIRS, smallEndsOf } from '../engine/word-edges.js';
import { findInjectionPhrases } from './injection-phrases.js';

/** Words that readers and models recognize when digits stand for letters, or those between the first and the last are in another order. */
const WORDS = ['ignore', 'bypass', 'override', 'reveal', 'delete', 'system', 'prompt', 'instructions', 'previous'];

/** The digits that stand for letters, by the letter. */
const DIGITS: ReadonlyMap<string, string> = new Map([
  ['o', '0'],
  ['i', '1'],
  ['e', '3'],
  ['a', '4'],
  ['s', '5'],
  ['t', '7'],
]);

/** The letters that digits stand for, by the digit. */
const LETTERS: ReadonlyMap<string, string> = new Map(Array.from(DIGITS, ([letter, digit]) => [digit, letter]));

/** How far around a scrambled word the phrase may reach that it belongs to. */
const REACH = 160;

const AS_SPELLED: ReadonlySet<string> = new Set(WORDS);

const HAS_LETTER = /[A-Za-z]/;
const HAS_DIGIT = /\d/;

const WORDS_BY_LETTERS: ReadonlyMap<string, string> = new Map(WORDS.map((word) => [lettersOf(word), word]));

const MAXIMUM_LENGTH = Math.max(...WORDS.map(({ length }) => length));

/** By the first and the last character of words, the lengths of those that have them, each as a bit. */
const LENGTHS = new Uint16Array(PAIRS);
for (const word of WORDS) {
  for (const first of writingsOf(word.charAt(0))) {
    for (const last of writingsOf(word.slice(-1))) {
      LENGTHS[smallEndsOf(edgesOfWord(first + word.slice(1, -1) + last))]! |= 1 << word.length;
    }
  }
}

/**
 * Finds phrases of prompt injections in which letters have changed places or digits stand for them, by writing them as they are
 * spelled. One such word alone is a slip of the pen, or a name.
 */
export function findScrambledPhrases(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  const scrambled = scrambledWordsIn(part, from);
  if (scrambled.length === 0) return;
  const first = Math.max(0, scrambled[0]!.start - REACH);
  const spelled = inLetters(text.slice(first, scrambled.at(-1)!.end + REACH));
  let next = 0;
  findInjectionPhrases(new TextPart(spelled, 0, spelled.length), 0, (phraseStart, phraseEnd, name) => {
    const start = first + phraseStart;
    while (next < scrambled.length && scrambled[next]!.end <= start) next += 1;
    // The other phrases have been found as they stand.
    if (next < scrambled.length && scrambled[next]!.start < first + phraseEnd) found(start, first + phraseEnd, name);
  });
}

function scrambledWordsIn({ text, words: { starts, ends, edges } }: TextPart, from: number): Span[] {
  const words: Span[] = [];
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index]!;
    const end = ends[index]!;
    if (!canBeScrambled(edges[index]!, end - start) || start < from) continue;
    if (scrambledWord(text.slice(start, end)) !== undefined) words.push({ start, end });
  }
  return words;
}

/** Nearly all words are left out by this. */
function canBeScrambled(edges: number, length: number): boolean {
  return length <= MAXIMUM_LENGTH && (LENGTHS[smallEndsOf(edges)]! & (1 << length)) !== 0;
}

/** @returns the word as it is spelled; undefined for what is no word in disguise */
function scrambledWord(text: string): string | undefined {
  if (!canBeScrambled(edgesOfWord(text), text.length)) return undefined;
  const written = text.toLowerCase();
  if (AS_SPELLED.has(written) || !HAS_LETTER.test(written)) return undefined;
  return WORDS_BY_LETTERS.get(lettersOf(HAS_DIGIT.test(written) ? withoutDigits(written) : written));
}

/** The first and the last letter, and those between them in the order of the alphabet. */
function lettersOf(word: string): string {
  return word.charAt(0) + Array.from(word.slice(1, -1)).sort().join('') + word.slice(-1);
}

/** A letter, and the digit that stands for it. */
function writingsOf(letter: string): string[] {
  const digit = DIGITS.get(letter);
  return digit === undefined ? [letter] : [letter, digit];
}

function withoutDigits(word: string): string {
  let letters = '';
  for (const character of word) letters += LETTERS.get(character) ?? character;
  return letters;
}

/**
 * The text with all scrambled words as they are spelled, and with letters for digits in the others that have both: every character
 * stays where it is.
 */
function inLetters(text: string): string {
  return text.replace(
    /[A-Za-z0-9]+/g,
    (word) => scrambledWord(word) ?? (HAS_LETTER.test(word) && HAS_DIGIT.test(word) ? withoutDigits(word) : word),
  );
}
