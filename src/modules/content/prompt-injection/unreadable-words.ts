import type { MatchHandler, Span } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { registerWord, UNREADABLE } from './candidate-words.js';
import { findRewrittenPhrases, type Rewritten } from './rewritten-stretches.js';

/** Of these, each phrase that is looked for has one. No language has them reversed or in ROT13. */
const TELLING_WORDS = (
  'ignore ignoring disregard forget bypass override reveal disable instruction instructions prompt prompts system previous rules ' +
  'guidelines restrictions filters safety directives commands developer jailbreak unrestricted everything'
).split(' ');

/** A letter further on by half of the alphabet, twice which is the letter again. */
const HALF_OF_ALPHABET = 13;
const LETTERS = 26;

const FIRST_SMALL_LETTER = 'a'.charCodeAt(0);
const FIRST_CAPITAL_LETTER = 'A'.charCodeAt(0);

const REVERSED_WORDS: ReadonlySet<string> = new Set(TELLING_WORDS.map(reversed));
const ROTATED_WORDS: ReadonlySet<string> = new Set(TELLING_WORDS.map(rotated));

for (const word of [...REVERSED_WORDS, ...ROTATED_WORDS]) registerWord(word, UNREADABLE);

/**
 * Finds phrases of prompt injections that are written from the end to the beginning, or in ROT13.
 *
 * @param candidates words of the part that may be telling ones
 */
export function findUnreadablePhrases({ text }: TextPart, candidates: readonly Span[], found: MatchHandler): void {
  if (candidates.length === 0) return;
  const among = (words: ReadonlySet<string>): Span[] =>
    candidates.filter(({ start, end }) => words.has(text.slice(start, end).toLowerCase()));
  findRewrittenPhrases(text, among(REVERSED_WORDS), inReverse, found);
  findRewrittenPhrases(text, among(ROTATED_WORDS), inRot13, found);
}

function inReverse(stretch: string): Rewritten {
  const { length } = stretch;
  return { text: reversed(stretch), originalOf: (start, end) => ({ start: length - end, end: length - start }) };
}

function inRot13(stretch: string): Rewritten {
  return { text: rotated(stretch), originalOf: (start, end) => ({ start, end }) };
}

/** Code unit by code unit, so that positions stay known. */
function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function rotated(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const first = letter < 'a' ? FIRST_CAPITAL_LETTER : FIRST_SMALL_LETTER;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + HALF_OF_ALPHABET) % LETTERS));
  });
}
