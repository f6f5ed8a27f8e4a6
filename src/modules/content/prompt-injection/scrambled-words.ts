import type { MatchHandler, Span } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { findInjectionPhrases } from './injection-phrases.js';

/** Words that readers and models recognize when the letters between the first and the last are in another order. */
const WORDS = ['ignore', 'bypass', 'override', 'reveal', 'delete', 'system', 'prompt', 'instructions', 'previous'];

/** How far around a scrambled word the phrase may reach that it belongs to. */
const REACH = 160;

const WORDS_BY_LETTERS: ReadonlyMap<string, string> = new Map(WORDS.map((word) => [lettersOf(word), word]));

/** What sets the small letters of ASCII apart from the capital ones. */
const SMALL = 0x20;

/** The first and the last letter of the words of each length, as one number. */
const OUTER_LETTERS: readonly (ReadonlySet<number> | undefined)[] = Array.from(
  { length: Math.max(...WORDS.map(({ length }) => length)) + 1 },
  (_, length) => {
    const words = WORDS.filter((word) => word.length === length);
    return words.length === 0 ? undefined : new Set(words.map((word) => outerLetters(word, 0, length)));
  },
);

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

function scrambledWordsIn(part: TextPart, from: number): Span[] {
  const words: Span[] = [];
  const { starts, ends } = part.words;
  for (let index = 0; index < starts.length; index += 1) {
    const [start, end] = [starts[index]!, ends[index]!];
    if (start >= from && scrambledWord(part.text, start, end) !== undefined) words.push({ start, end });
  }
  return words;
}

/** @returns the word with its letters in order; undefined for what is no scrambled word */
function scrambledWord(text: string, start: number, end: number): string | undefined {
  // Nearly all words are left out by this.
  if (OUTER_LETTERS[end - start]?.has(outerLetters(text, start, end)) !== true) return undefined;
  const written = text.slice(start, end).toLowerCase();
  const word = WORDS_BY_LETTERS.get(lettersOf(written));
  return word === written ? undefined : word;
}

function outerLetters(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) | SMALL) << 16) | text.charCodeAt(end - 1) | SMALL;
}

/** The first and the last letter, and those between them in the order of the alphabet. */
function lettersOf(word: string): string {
  return word.charAt(0) + Array.from(word.slice(1, -1)).sort().join('') + word.slice(-1);
}

/** The text with the letters of all scrambled words in order, which leaves every character where it is. */
function inOrder(text: string): string {
  return text.replace(/[A-Za-z]{6,12}/g, (word) => scrambledWord(word, 0, word.length) ?? word);
}
