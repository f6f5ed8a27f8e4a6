import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { injectionNamesIn } from './injection-phrases.js';
import type { TellingWords } from './telling-words.js';

/** The fewest characters that a phrase worth encoding takes in base64, or digits in hexadecimal ones. */
const FEWEST_CHARACTERS = 16;

/** Base64, or its form for URLs, and what it has before a long word. What is longer is looked at up to here. */
const BEFORE_WORD = /[A-Za-z0-9+/_-]*$/;
const BASE64 = /[A-Za-z0-9+/_-]{16,8192}={0,2}/y;

/** Pairs of digits, alone or marked, with or without separators: `69676e`, `69 67 6e`, `0x69, 0x67`, `\x69\x67`. */
const HEXADECIMAL_START = /(?<![A-Za-z0-9])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s:,;-]{0,2}){8}/g;
const HEXADECIMAL = /(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s:,;-]{0,2}){8,2048}/y;

/** The longest of such beginnings. */
const REACH = 48;

/** Bytes of zeros and ones, which look like hexadecimal digits as well. */
const ONLY_BITS = /^[01]{64,}$/;

/** Words of which a decoded text that is no injection seldom has two. */
const WORDS = /\b(?:ignor(?:e|ing)|bypass|override|reveal|system|prompt|instructions)\b/gi;

/** What no text has: control characters but white space, and bytes that are not UTF-8. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]|\ufffd/u;

/** How much of what is decoded is looked at to see whether it is text at all, in code units. */
const SAMPLE = 12;

/** Finds phrases of prompt injections that are encoded in base64 or in hexadecimal digits and begin in a part of a text. */
export function findEncodedPhrases(
  part: TextPart,
  from: number,
  { long, hasPairsInARow }: TellingWords,
  found: MatchHandler,
): void {
  const { text } = part;
  let readTo = 0;
  for (const { start: word } of long) {
    if (word < readTo) continue;
    const start = word - BEFORE_WORD.exec(text.slice(Math.max(0, word - FEWEST_CHARACTERS), word))![0].length;
    const encoded = matchAt(BASE64, text, start);
    // Words have letters beyond ASCII too.
    if (encoded === undefined) continue;
    readTo = start + encoded.length;
    const sample = Buffer.from(encoded.slice(0, FEWEST_CHARACTERS), 'base64').toString('utf8');
    if (isText(sample) && isInjection(Buffer.from(encoded, 'base64').toString('utf8')))
      found(start, readTo, 'base64_encoded_injection');
  }
  if (hasPairsInARow) findHexadecimal(part, from, found);
}

function findHexadecimal({ text, to }: TextPart, from: number, found: MatchHandler): void {
  const offset = Math.max(0, from - 1);
  let readTo = from;
  for (const { index } of text.slice(offset, to + REACH).matchAll(HEXADECIMAL_START)) {
    const start = offset + index;
    if (start >= to) return;
    if (start < readTo) continue;
    const encoded = matchAt(HEXADECIMAL, text, start)!;
    readTo = start + encoded.length;
    const digits = encoded.replace(/0x|\\x|[^0-9A-Fa-f]/g, '');
    if (isInjection(Buffer.from(digits, 'hex').toString('utf8')) || isBinaryInjection(digits))
      found(start, start + encoded.trimEnd().length, 'hex_encoded_injection');
  }
}

function isText(sample: string): boolean {
  // A character that the sample cuts in two is no sign of anything.
  return !NOT_TEXT.test(sample.slice(0, SAMPLE).replace(/\ufffd$/, ''));
}

/** Whether digits that are all zeros and ones are the bits of such a text. */
function isBinaryInjection(digits: string): boolean {
  if (!ONLY_BITS.test(digits)) return false;
  const bytes = digits.match(/[01]{8}/g)!.map((bits) => Number.parseInt(bits, 2));
  return isInjection(Buffer.from(bytes).toString('utf8'));
}

function isInjection(text: string): boolean {
  if (!isText(text)) return false;
  const words = new Set(Array.from(text.matchAll(WORDS), ([word]) => word.toLowerCase()));
  return words.size >= 2 || injectionNamesIn(text).size > 0;
}
