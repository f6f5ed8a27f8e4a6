import type { Span } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { edgesOfWord, PAIRS, smallBeginningOf, smallEndsOf } from '../text/word-edges.js';

/** What a word may tell, as bits: that a phrase begins with it, that it is an order, is spelled wrong, or cannot be read as it stands. */
export const FIRST_OF_PHRASE = 1;
export const ORDER = 2;
export const MISSPELLED = 4;
export const UNREADABLE = 8;

/** The fewest letters of a phrase without anything between its words. */
const MINIMUM_PHRASE_LENGTH = 16;

/** The shortest word that may be spelled wrong. */
const MINIMUM_MISSPELLED_LENGTH = 4;

/** How many letters in a row are looked at as a word that is written letter by letter. */
const MAXIMUM_LETTERS_IN_A_ROW = 6;

/** By the first two characters of words, and by the first and the last one, what they may tell: nearly all words tell nothing. */
const BY_BEGINNING = new Uint8Array(PAIRS);
const BY_ENDS = new Uint8Array(PAIRS);

const KINDS = new Map<string, number>();

/** By the first two characters of words, whether hexadecimal digits may begin so, `0x69` and the `x69` of `\x69` included. */
const BEGINS_PAIRS = new Uint8Array(PAIRS);
for (const beginning of hexadecimalBeginnings()) BEGINS_PAIRS[smallBeginningOf(edgesOfWord(beginning))] = 1;

/** The words of a part of a text that its searches begin with. */
export interface TellingWords {
  readonly first: readonly Span[];
  readonly orders: readonly Span[];
  /** Those that may be spelled wrong. */
  readonly misspelled: readonly Span[];
  readonly unreadable: readonly Span[];
  /** Those that are long enough for a phrase without anything between its words. */
  readonly long: readonly Span[];
  /** Whether there may be a phrase whose letters are written one by one. */
  readonly hasLettersInARow: boolean;
  /** Whether there may be pairs of hexadecimal digits with something between them. */
  readonly hasPairsInARow: boolean;
}

/** Says what words tell. @param kind one of the bits */
export function registerWords(words: Iterable<string>, kind: number): void {
  for (const word of words) {
    KINDS.set(word, (KINDS.get(word) ?? 0) | kind);
    BY_BEGINNING[smallBeginningOf(edgesOfWord(word))]! |= kind;
    BY_ENDS[smallEndsOf(edgesOfWord(word))]! |= kind;
  }
}

/** Says that words with these ends may be spelled wrong, whatever is between. */
export function registerEnds(first: string, last: string): void {
  BY_ENDS[smallEndsOf(edgesOfWord(`${first}${last}`))]! |= MISSPELLED;
}

/** The telling words among those that begin in a part of a text, at a position or behind it. */
export function tellingWordsIn({ text, words: { starts, ends, edges } }: TextPart, from: number): TellingWords {
  const [first, orders, misspelled, unreadable, long]: [Span[], Span[], Span[], Span[], Span[]] = [[], [], [], [], []];
  let letters = 0;
  let mostLetters = 0;
  let digits = 0;
  let mostDigits = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index]!;
    const end = ends[index]!;
    letters = end - start === 1 ? letters + 1 : 0;
    if (letters > mostLetters) mostLetters = letters;
    const edge = edges[index]!;
    digits = BEGINS_PAIRS[smallBeginningOf(edge)] === 1 ? digits + end - start : 0;
    if (digits > mostDigits) mostDigits = digits;
    const byEnds = BY_ENDS[smallEndsOf(edge)]!;
    const isLong = end - start >= MINIMUM_PHRASE_LENGTH;
    if (((byEnds & (BY_BEGINNING[smallBeginningOf(edge)]! | MISSPELLED)) === 0 && !isLong) || start < from) continue;
    const span = { start, end };
    const kinds = KINDS.get(text.slice(start, end).toLowerCase()) ?? 0;
    if ((kinds & FIRST_OF_PHRASE) !== 0) first.push(span);
    if ((kinds & ORDER) !== 0) orders.push(span);
    if ((kinds & UNREADABLE) !== 0) unreadable.push(span);
    if ((byEnds & MISSPELLED) !== 0 && end - start >= MINIMUM_MISSPELLED_LENGTH) misspelled.push(span);
    if (isLong) long.push(span);
  }
  const hasLettersInARow = letters > 0 || mostLetters >= MAXIMUM_LETTERS_IN_A_ROW || starts.length === 0;
  // The last word may go on in another part, as may the letters.
  const hasPairsInARow = digits > 0 || mostDigits >= MINIMUM_PHRASE_LENGTH;
  return { first, orders, misspelled, unreadable, long, hasLettersInARow, hasPairsInARow };
}

function hexadecimalBeginnings(): string[] {
  const digits = Array.from('0123456789abcdef');
  return [
    ...digits.flatMap((digit) => digits.map((other) => digit + other)),
    '0x',
    ...digits.map((digit) => `x${digit}`),
  ];
}
