import { EDGE_BITS, edgesOf } from './words.js';

const CHARACTER = (1 << EDGE_BITS) - 1;
const PAIR = (1 << (2 * EDGE_BITS)) - 1;

/** What sets the small letters of ASCII apart from the capital ones, in both characters of a pair. */
const SMALL_PAIR = (0x20 << EDGE_BITS) | 0x20;

/** How many pairs of characters of ASCII there are. */
export const PAIRS = PAIR + 1;

/** The edges of a word by itself. */
export function edgesOfWord(word: string): number {
  return edgesOf(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(word.length - 1));
}

/** The first two characters, as a number below {@link PAIRS}. */
export function beginningOf(edges: number): number {
  return edges & PAIR;
}

/** The first two characters in lower case, as a number below {@link PAIRS}. */
export function smallBeginningOf(edges: number): number {
  return (edges & PAIR) | SMALL_PAIR;
}

/** The first and the last character in lower case, as a number below {@link PAIRS}. */
export function smallEndsOf(edges: number): number {
  return (edges & CHARACTER) | ((edges >> EDGE_BITS) & (CHARACTER << EDGE_BITS)) | SMALL_PAIR;
}
