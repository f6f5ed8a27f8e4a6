import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { findPhrasesIn } from './phrase-search.js';

/** The fewest characters that a phrase worth encoding takes in base64. */
const FEWEST_CHARACTERS = 16;

/** Base64, or its form for URLs, and what it has before a long word. What is longer is looked at up to here. */
const BEFORE_WORD = /[A-Za-z0-9+/_-]*$/;
const BASE64 = /[A-Za-z0-9+/_-]{16,8192}={0,2}/y;

/** Pairs of digits that stand for ASCII, with or without separators: `69676e`, `69 67 6e`, `0x69, 0x67`, `x69\x67`. */
const HEXADECIMAL = /(?:(?:0x|\\?x)?[2-7][0-9A-Fa-f][\s:,;-]{0,2}){8,2048}/y;
const BEGINS_HEXADECIMAL = /[0-7x]/;

/** Words of which a decoded text that is no injection seldom has two. */
const WORDS = /\b(?:ignor(?:e|ing)|bypass|override|reveal|system|prompt|instructions)\b/gi;

/** What no text has: control characters but white space, and bytes that are not UTF-8. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]|\ufffd/u;

/** How much of what is decoded is looked at to see whether it is text at all, in code units. */
const SAMPLE = 12;

/** Finds phrases of prompt injections that are encoded in base64 or in hexadecimal digits and begin in a part of a text. */
export function findEncodedPhrases(
  { text, words: { starts, ends } }: TextPart,
  from: number,
  found: MatchHandler,
): void {
  let readTo = from;
  for (let index = 0; index < starts.length; index += 1) {
    const word = starts[index]!;
    if (word < readTo) continue;
    const digits = BEGINS_HEXADECIMAL.test(text.charAt(word)) ? matchAt(HEXADECIMAL, text, word) : undefined;
    if (digits !== undefined) {
      readTo = word + digits.length;
      if (isInjection(Buffer.from(digits.replace(/0x|[^0-9A-Fa-f]/g, ''), 'hex')))
        found(word, word + digits.trimEnd().length, 'hex_encoded_injection');
    } else if (ends[index]! - word >= FEWEST_CHARACTERS) {
      const start = word - BEFORE_WORD.exec(text.slice(Math.max(0, word - FEWEST_CHARACTERS), word))![0].length;
      const encoded = matchAt(BASE64, text, start);
      // Words have letters beyond ASCII too.
      if (encoded === undefined) continue;
      readTo = start + encoded.length;
      if (isInjection(Buffer.from(encoded, 'base64'))) found(start, readTo, 'base64_encoded_injection');
    }
  }
}

function isInjection(decoded: Buffer): boolean {
  // A character that the sample cuts in two is no sign of anything.
  const sample = decoded.toString('utf8', 0, SAMPLE).replace(/\ufffd$/, '');
  const text = NOT_TEXT.test(sample) ? '' : decoded.toString('utf8');
  const words = new Set(Array.from(text.matchAll(WORDS), ([word]) => word.toLowerCase()));
  let hasPhrase = false;
  findPhrasesIn(text, () => (hasPhrase = true));
  return words.size >= 2 || hasPhrase;
}
