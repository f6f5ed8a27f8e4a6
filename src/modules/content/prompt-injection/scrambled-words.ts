import type { MatchHandler, Span } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { edgesOfWord, PAIRS, smallEndsOf } from '../engine/word-edges.js';
import { findInjectionPhrases } from './injection-phrases.js';

/** Words that readers and models recognize when the letters between the first and the last are in another order. */
const WORDS = ['ignore', 'bypass', 'override', 'reveal', 'delete', 'system', 'prompt', 'instructions', 'previous'];

/** How far around a scrambled word the phrase may reach that it belongs to. */
const REACH = 160;

const WORDS_BY_LETTERS: ReadonlyMap<string, string> = new Map(WORDS.map((word) => [lettersOf(word), word]));

const MAXIMUM_LENGTH = Math.max(...WORDS.map(({ length }) => length));

/** By the first and the last letter of words, the lengths of those that have them, each as a bit. */
const LENGTHS = new Uint16Array(PAIRS);
for (const word of WORDS) LENGTHS[smallEndsOf(edgesOfWord(word))]! |= 1 << word.length;

/**
 * Finds phrases of prompt injections in which letters have changed places, by putting them in order. One such word alone is
 * a slip of the pen.
 */
export function findScrambledPhrases(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  const scrambled = scrambledWordsIn(part, from);
  if (scrambled.length === 0) return;
  const first = Math.max(0, scrambled[0]!.start - REACH);
  const ordered = inOrder(text.slice(first, scrambled.at(-1)!.end + REACH));
  let next = 0;
  findInjectionPhrases(new TextPart(ordered, 0, ordered.length), 0, (phraseStart, phraseEnd, name) => {
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

/** @returns the word with its letters in order; undefined for what is no scrambled word */
function scrambledWord(text: string): string | undefined {
  if (!canBeScrambled(edgesOfWord(text), text.length)) return undefined;
  const written = text.toLowerCase();
  const word = WORDS_BY_LETTERS.get(lettersOf(written));
  return word === written ? undefined : word;
}

/** The first and the last letter, and those between them in the order of the alphabet. */
function lettersOf(word: string): string {
  return word.charAt(0) + Array.from(word.slice(1, -1)).sort().join('') + word.slice(-1);
}

/** The text with the letters of all scrambled words in order, which leaves every character where it is. */
function inOrder(text: string): string {
  return text.replace(/[A-Za-z]{6,12}/g, (word) => scrambledWord(word) ?? word);
}
