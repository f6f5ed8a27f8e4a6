import { AsciiSet, isAlphanumeric } from '../builtins/character-kinds.js';
import type { MatchHandler, Span } from '../engine/detector.js';
import { findInjectionPhrases } from './injection-phrases.js';

/** Words that readers and models recognize when the letters between the first and the last are in another order. */
const WORDS = ['ignore', 'bypass', 'override', 'reveal', 'delete', 'system', 'prompt', 'instructions', 'previous'];

const LONGEST_WORD = Math.max(...WORDS.map(({ length }) => length));

/** How far around a scrambled word the phrase may reach that it belongs to. */
const REACH = 160;

const WORDS_BY_LETTERS: ReadonlyMap<string, string> = new Map(WORDS.map((word) => [lettersOf(word), word]));
const LENGTHS = new Set(WORDS.map(({ length }) => length));

/** Which ASCII characters begin one of the words, in either case. */
const FIRST_LETTERS = new AsciiSet((character) => WORDS.some(([first]) => first === character.toLowerCase()));

/**
 * Finds phrases of prompt injections in which letters have changed places, by putting them in order. One such word alone is
 * a slip of the pen.
 */
export function findScrambledPhrases(text: string, from: number, to: number, found: MatchHandler): void {
  const scrambled = scrambledWordsIn(text, from, to);
  if (scrambled.length === 0) return;
  const first = Math.max(0, scrambled[0]!.start - REACH);
  const ordered = inOrder(text.slice(first, scrambled.at(-1)!.end + REACH));
  let next = 0;
  findInjectionPhrases(ordered, 0, ordered.length, (phraseStart, phraseEnd, name) => {
    const start = first + phraseStart;
    while (next < scrambled.length && scrambled[next]!.end <= start) next += 1;
    // The other phrases have been found as they stand.
    if (next < scrambled.length && scrambled[next]!.start < first + phraseEnd) found(start, first + phraseEnd, name);
  });
}

function scrambledWordsIn(text: string, from: number, to: number): Span[] {
  const words: Span[] = [];
  for (let position = from; position < to; position += 1) {
    if (!FIRST_LETTERS.has(text.charCodeAt(position)) || isAlphanumeric(text.charCodeAt(position - 1))) continue;
    const end = wordEnd(text, position);
    if (scrambledWord(text, position, end) !== undefined) words.push({ start: position, end });
    position = end;
  }
  return words;
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end - start <= LONGEST_WORD && isAlphanumeric(text.charCodeAt(end))) end += 1;
  return end;
}

/** @returns the word with its letters in order; undefined for what is no scrambled word */
function scrambledWord(text: string, start: number, end: number): string | undefined {
  if (!LENGTHS.has(end - start)) return undefined;
  const written = text.slice(start, end).toLowerCase();
  const word = WORDS_BY_LETTERS.get(lettersOf(written));
  return word === written ? undefined : word;
}

/** The first and the last letter, and those between them in the order of the alphabet. */
function lettersOf(word: string): string {
  return word.charAt(0) + Array.from(word.slice(1, -1)).sort().join('') + word.slice(-1);
}

/** The text with the letters of all scrambled words in order, which leaves every character where it is. */
function inOrder(text: string): string {
  return text.replace(/[A-Za-z]{6,12}/g, (word) => scrambledWord(word, 0, word.length) ?? word);
}
