import type { Span } from '../engine/detector.js';
import { beginningOf, edgesOfWord, PAIRS } from '../engine/word-edges.js';
import { EDGE_BITS } from '../engine/words.js';
import type { AsciiWords } from './ascii-words.js';
import { NEEDED_WORDS, type Needs, NO_NEEDS } from './needed-words.js';

/** What a word may be, as bits. */
const FIRST_OF_PHRASE = 1;
export const MISSPELLED = 2;
export const UNREADABLE = 4;
const NEEDED = 8;
export const ORDER = 16;

/** Letters of either case and digits, told apart by so many bits: a letter and a digit may have the same ones. */
const CHARACTER_BITS = 5;
const CHARACTER = (1 << CHARACTER_BITS) - 1;

/** Where the length of a word is in the index: it shares bits with the last character, which seldom makes two words alike. */
const LENGTH_SHIFT = 11;

/** Longer words are taken for one of this length. */
const MAXIMUM_LENGTH = 31;

/** The fewest letters of a phrase without anything between its words. */
const MINIMUM_PHRASE_LENGTH = 16;

/** How many letters in a row are looked at as a word that is written letter by letter. */
const MAXIMUM_LETTERS_IN_A_ROW = 6;

/** What begins pairs of hexadecimal digits. */
const BEGINS_PAIRS = new Uint8Array(PAIRS);
for (const first of '0123456789ABCDEFabcdef') {
  for (const second of '0123456789ABCDEFabcdefx') {
    if (second !== 'x' || first === '0') BEGINS_PAIRS[beginningOf(edgesOfWord(first + second))] = 1;
  }
}

/** The fewest digits of a phrase in hexadecimal digits. */
const MINIMUM_DIGITS = 16;

/** By the first two characters, the last one and the length of words, what they may be. Small enough to stay in the caches of a processor. */
const KINDS = new Uint8Array(1 << 16);

/** By the same, of which kinds of needed words they may be. */
const NEEDED_KINDS = new Int32Array(KINDS.length);

/** By the same, what the phrases need that they may begin. */
const NEEDS: (Needs | undefined)[] = Array.from({ length: KINDS.length }, () => undefined);

/** Needed words are told apart by blocks of so many words, as a power of two. */
const BLOCK_BITS = 3;

/** How many blocks count as near, that of the word included, and how many as far. */
const NEAR_BLOCKS = 3;
const FAR_BLOCKS = 4;

/** All kinds: what stands behind the end of a part is not known. */
const ANY_KIND = -1;

/** A word that may be the first of a phrase, and the kinds of needed words behind it. */
export interface FirstWord extends Span {
  readonly near: number;
  readonly far: number;
}

/** The words of a part of a text that its searches begin with: nearly all words are none. */
export interface CandidateWords {
  /** Those that may be the first of a phrase. */
  readonly first: readonly FirstWord[];
  /** Those of them that may be an order to a model. */
  readonly orders: readonly FirstWord[];
  /** Those that may be misspelled, and which the phrase may be told by. */
  readonly misspelled: readonly Span[];
  /** Those that may be words that are reversed or in ROT13. */
  readonly unreadable: readonly Span[];
  /** Those that are long enough for a phrase without anything between its words. */
  readonly long: readonly Span[];
  /** By their order, those that may begin hexadecimal digits. */
  readonly pairs: readonly number[];
  /** Whether there may be a phrase whose letters are written one by one. */
  readonly hasLettersInARow: boolean;
}

/**
 * Says what a word may be.
 *
 * @param kind one of the bits
 */
export function registerWord(word: string, kind: number): void {
  KINDS[kindsIndexOf(edgesOfWord(word), word.length)]! |= kind;
}

/** Says that a word is the first of a phrase, and what this needs. */
export function registerFirst(word: string, needs: Needs): void {
  registerWord(word, FIRST_OF_PHRASE);
  const index = kindsIndexOf(edgesOfWord(word), word.length);
  NEEDS[index] = combined([...(NEEDS[index] ?? []), ...needs]);
}

/** The same needs with as few pairs as possible: those of which one half is no need are one pair together. */
function combined(needs: Needs): Needs {
  if (needs.some(([near, far]) => near === 0 && far === 0)) return NO_NEEDS;
  const either = (half: 0 | 1): number =>
    needs.reduce((kinds, pair) => (pair[1 - half] === 0 ? kinds | pair[half] : kinds), 0);
  const both = new Map(needs.filter(([near, far]) => near !== 0 && far !== 0).map((pair) => [pair.join(), pair]));
  const [near, far] = [either(0), either(1)];
  return [...(near === 0 ? [] : [[near, 0] as const]), ...(far === 0 ? [] : [[0, far] as const]), ...both.values()];
}

/** Says of which kinds of needed words a word is. */
export function registerNeeded(word: string, kinds: number): void {
  registerWord(word, NEEDED);
  NEEDED_KINDS[kindsIndexOf(edgesOfWord(word), word.length)]! |= kinds;
}

/** Whether a phrase finds what it needs among the kinds of words behind its first one. */
export function areMet(needs: Needs, near: number, far: number): boolean {
  for (const { 0: nearby, 1: further } of needs) {
    if ((nearby === 0 || (near & nearby) !== 0) && (further === 0 || (far & further) !== 0)) return true;
  }
  return false;
}

/** The same for all words that have a length, a first character and a last one. */
export function registerEnds(first: string, last: string, length: number, kind: number): void {
  for (let second = 0; second <= CHARACTER; second += 1) {
    KINDS[kindsIndexOf(edgesOfWord(first + String.fromCharCode(second) + last), length)]! |= kind;
  }
}

for (const [word, kinds] of NEEDED_WORDS) registerNeeded(word, kinds);

/** The candidates among words that begin at a position or behind it. One look at each word takes the place of one for each search. */
export function candidatesAmong(words: AsciiWords, from: number): CandidateWords {
  const { starts, ends, edges } = words;
  // By their order, the words that may be first ones: what they need stands behind them.
  const firstIndexes: number[] = [];
  const blocks = new Int32Array((starts.length >> BLOCK_BITS) + FAR_BLOCKS);
  blocks.fill(ANY_KIND, starts.length >> BLOCK_BITS);
  const misspelled: Span[] = [];
  const unreadable: Span[] = [];
  const long: Span[] = [];
  const pairs: number[] = [];
  let letters = 0;
  let mostLetters = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index]!;
    const length = ends[index]! - start;
    const edge = edges[index]!;
    if (BEGINS_PAIRS[beginningOf(edge)] === 1 && (length % 2 === 0 || length >= MINIMUM_DIGITS)) pairs.push(index);
    if (length === 1) {
      letters += 1;
      if (letters > mostLetters) mostLetters = letters;
      continue;
    }
    letters = 0;
    const kinds = KINDS[kindsIndexOf(edge, length)]!;
    if ((kinds === 0 && length < MINIMUM_PHRASE_LENGTH) || start < from) continue;
    if ((kinds & NEEDED) !== 0) blocks[index >> BLOCK_BITS]! |= NEEDED_KINDS[kindsIndexOf(edge, length)]!;
    if ((kinds & FIRST_OF_PHRASE) !== 0) firstIndexes.push(index);
    if ((kinds & ~(NEEDED | FIRST_OF_PHRASE | ORDER)) === 0 && length < MINIMUM_PHRASE_LENGTH) continue;
    const span = { start, end: start + length };
    if ((kinds & MISSPELLED) !== 0) misspelled.push(span);
    if ((kinds & UNREADABLE) !== 0) unreadable.push(span);
    if (length >= MINIMUM_PHRASE_LENGTH) long.push(span);
  }
  const hasLettersInARow = letters > 0 || mostLetters >= MAXIMUM_LETTERS_IN_A_ROW || starts.length === 0;
  const first: FirstWord[] = [];
  const orders: FirstWord[] = [];
  findFirst(words, firstIndexes, blocks, first, orders);
  return { first, orders, misspelled, unreadable, long, pairs, hasLettersInARow };
}

/** The words that have behind them what the phrases need that they may begin: most have not. */
function findFirst(
  { starts, ends, edges }: AsciiWords,
  indexes: readonly number[],
  blocks: Int32Array,
  first: FirstWord[],
  orders: FirstWord[],
): void {
  for (const index of indexes) {
    const start = starts[index]!;
    const end = ends[index]!;
    const block = index >> BLOCK_BITS;
    let near = 0;
    for (let next = 0; next < NEAR_BLOCKS; next += 1) near |= blocks[block + next]!;
    let far = near;
    for (let next = NEAR_BLOCKS; next < FAR_BLOCKS; next += 1) far |= blocks[block + next]!;
    const kindsIndex = kindsIndexOf(edges[index]!, end - start);
    if (!areMet(NEEDS[kindsIndex]!, near, far)) continue;
    const word = { start, end, near, far };
    first.push(word);
    if ((KINDS[kindsIndex]! & ORDER) !== 0) orders.push(word);
  }
}

function kindsIndexOf(edges: number, length: number): number {
  const first = edges & CHARACTER;
  const second = (edges >> EDGE_BITS) & CHARACTER;
  const last = (edges >> (2 * EDGE_BITS)) & CHARACTER;
  const characters = first | (second << CHARACTER_BITS) | (last << (2 * CHARACTER_BITS));
  return characters ^ (Math.min(length, MAXIMUM_LENGTH) << LENGTH_SHIFT);
}
