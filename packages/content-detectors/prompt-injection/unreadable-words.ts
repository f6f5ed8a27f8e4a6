import type { MatchHandler, Span } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findRewrittenPhrases } from './rewritten-stretches.js';
import { registerWords, UNREADABLE } from './telling-words.js';

/** Of these, each phrase that is looked for has one. No language has them reversed or in ROT13. */
const TELLING_WORDS = (
  'ignore ignoring disregard forget bypass override reveal disable instruction instructions prompt prompts system previous rules ' +
  'guidelines restrictions filters safety directives commands developer jailbreak unrestricted everything'
).split(' ');

const REVERSED_WORDS: ReadonlySet<string> = new Set(TELLING_WORDS.map(reversed));
const ROTATED_WORDS: ReadonlySet<string> = new Set(TELLING_WORDS.map(rotated));

registerWords([...REVERSED_WORDS, ...ROTATED_WORDS], UNREADABLE);

/**
 * Finds phrases of prompt injections that are written from the end to the beginning, or in ROT13.
 *
 * @param telling words of the part that are reversed or rotated
 */
export function findUnreadablePhrases({ text }: TextPart, telling: readonly Span[], found: MatchHandler): void {
  const among = (words: ReadonlySet<string>): Span[] =>
    telling.filter(({ start, end }) => words.has(text.slice(start, end).toLowerCase()));
  const inReverse = (start: number, end: number, { length }: string): Span => ({
    start: length - end,
    end: length - start,
  });
  findRewrittenPhrases(
    text,
    among(REVERSED_WORDS),
    (stretch) => ({ text: reversed(stretch), originalOf: (start, end) => inReverse(start, end, stretch) }),
    found,
  );
  findRewrittenPhrases(
    text,
    among(ROTATED_WORDS),
    (stretch) => ({ text: rotated(stretch), originalOf: (start, end) => ({ start, end }) }),
    found,
  );
}

/** Code unit by code unit, so that positions stay known. */
function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** Each letter is the one further on by half of the alphabet, twice which is the letter again. */
function rotated(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const first = letter < 'a' ? 'A'.charCodeAt(0) : 'a'.charCodeAt(0);
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });
}
