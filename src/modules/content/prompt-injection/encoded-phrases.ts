import { AsciiSet, isAlphanumeric } from '../builtins/character-kinds.js';
import type { MatchHandler } from '../engine/detector.js';
import { matchAt } from '../engine/sticky-match.js';
import type { TextPart } from '../engine/text-part.js';
import type { AsciiWords } from './ascii-words.js';
import { injectionNamesIn } from './injection-phrases.js';

/** The longest text that is looked for encodings of, in code units; what is longer is looked at up to here. */
const MAXIMUM_ENCODED_LENGTH = 8_192;

const LAST_ASCII = 0x7f;

const LETTER_X = 'x'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/** The characters of base64 and of its form for URLs, before the padding. */
const IN_BASE64 = /[A-Za-z0-9+/_-]/;

/** Whether a code unit is one of them. */
const IS_IN_BASE64 = new Uint8Array(1 << 16);
for (let code = 0; code <= LAST_ASCII; code += 1)
  IS_IN_BASE64[code] = Number(IN_BASE64.test(String.fromCharCode(code)));

/** What each of them stands for. */
const SEXTETS = new Uint8Array(128);
for (const [sextet, character] of Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  SEXTETS[character.charCodeAt(0)] = sextet;
}
SEXTETS['-'.charCodeAt(0)] = 62;
SEXTETS['_'.charCodeAt(0)] = 63;

/** The fewest characters that a phrase worth encoding takes in base64. */
const MINIMUM_BASE64_LENGTH = 16;

/** How much of a text in base64 is decoded to see whether it is text at all. */
const BASE64_SAMPLE = 16;

/** Pairs of digits, alone or marked, with or without separators: `69676e`, `69 67 6e`, `0x69, 0x67`, `\x69\x67`. */
const HEXADECIMAL = /(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[\s:,;-]{0,2}){8,2048}/y;

/** How many pairs the expression asks for. */
const FEWEST_PAIRS = 8;

/** How many separators stand between two of them. */
const MAXIMUM_SEPARATORS = 2;

/** Those of its separators that are ASCII. */
const SEPARATORS = new AsciiSet((character) => /[\s:,;-]/.test(character));

const HEXADECIMAL_DIGITS = new AsciiSet((character) => /[0-9A-Fa-f]/.test(character));

/** Bytes of zeros and ones, which look like hexadecimal digits as well. */
const ONLY_BITS = /^[01]{64,}$/;

/** Words of which a decoded text that is no injection seldom has two. */
const WORDS = /\b(?:ignor(?:e|ing)|bypass|override|reveal|system|prompt|instructions)\b/gi;

/** What no text has: control characters but white space, and bytes that are not UTF-8. */
const NOT_TEXT = /[^\P{Cc}\t\n\r]|\ufffd/u;

/**
 * Finds phrases of prompt injections that are encoded in base64 or in hexadecimal digits and begin in a part of a text.
 *
 * @param pairs by their order, the words that may begin hexadecimal digits
 */
export function findEncodedPhrases(
  part: TextPart,
  from: number,
  words: AsciiWords,
  pairs: readonly number[],
  found: MatchHandler,
): void {
  findBase64(part, from, found);
  findHexadecimal(part, from, words, pairs, found);
}

function findBase64({ text, from: start, to, words: { codes } }: TextPart, from: number, found: MatchHandler): void {
  // What began before this part has been looked at.
  let position = isInBase64(text, from - 1) ? base64End(text, from, to) : from;
  while (position < to) {
    // Looked at from the end of the shortest run backwards, most characters need not be looked at.
    const first = position - start;
    let last = first + MINIMUM_BASE64_LENGTH - 1;
    while (last >= first && IS_IN_BASE64[codes[last]!] === 1) last -= 1;
    if (last >= first) {
      position = start + last + 1;
      continue;
    }
    const end = base64End(text, position + MINIMUM_BASE64_LENGTH, position + MAXIMUM_ENCODED_LENGTH);
    if (isEncodedInBase64(text.slice(position, end))) {
      found(position, paddingEnd(text, end), 'base64_encoded_injection');
    }
    position = base64End(text, end, to);
  }
}

/** The end of a run of characters of base64, looked for up to a position. */
function base64End(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && isInBase64(text, end)) end += 1;
  return end;
}

function isInBase64(text: string, position: number): boolean {
  return IS_IN_BASE64[text.charCodeAt(position)] === 1;
}

function isEncodedInBase64(encoded: string): boolean {
  return isText(encoded.slice(0, BASE64_SAMPLE)) && isInjection(decoded(encoded, 'base64'));
}

function paddingEnd(text: string, end: number): number {
  return end + (/^={1,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
}

function findHexadecimal(
  part: TextPart,
  from: number,
  words: AsciiWords,
  pairs: readonly number[],
  found: MatchHandler,
): void {
  const { text, to } = part;
  const read = (start: number): number => {
    if (!hasEnoughPairs(text, start)) return start;
    const encoded = matchAt(HEXADECIMAL, text, start);
    if (encoded === undefined) return start;
    const digits = encoded.replace(/0x|\\x|[^0-9A-Fa-f]/g, '');
    if (isInjection(decoded(digits, 'hex')) || isBinaryInjection(digits))
      found(start, start + encoded.trimEnd().length, 'hex_encoded_injection');
    return start + encoded.length;
  };
  if (part.indexOf('\\x', from) === -1) {
    let position = from;
    for (const index of pairs) {
      const start = words.starts[index]!;
      if (start >= position && canBeginPairs(words, index)) position = read(start);
    }
    return;
  }
  // Pairs that are marked with a backslash begin in front of a word.
  for (let start = from; start < to; start += 1) {
    if (!isAlphanumeric(text.charCodeAt(start - 1))) start = Math.max(start, read(start) - 1);
  }
}

/**
 * Whether as many pairs as a phrase has at least can begin at a word, by where the words are: nearly all are left out by this. A
 * word that has not all of them has an even number of characters.
 */
function canBeginPairs({ starts, ends }: AsciiWords, first: number): boolean {
  let characters = 0;
  for (let index = first; characters < FEWEST_PAIRS * 2; index += 1) {
    // What follows belongs to another part.
    if (index === starts.length) return true;
    if (index > first && starts[index]! - ends[index - 1]! > MAXIMUM_SEPARATORS) return false;
    const length = ends[index]! - starts[index]!;
    characters += length;
    if (length % 2 === 1 && characters < FEWEST_PAIRS * 2) return false;
  }
  return true;
}

/** Whether as many pairs of digits stand here as a phrase has at least, which is much cheaper than the expression. */
function hasEnoughPairs(text: string, start: number): boolean {
  let position = start;
  for (let pairs = 0; pairs < FEWEST_PAIRS; pairs += 1) {
    const first = text.charCodeAt(position);
    const isMarked = (first === BACKSLASH || first === ZERO) && text.charCodeAt(position + 1) === LETTER_X;
    if (isMarked) position += 2;
    if (!isHexadecimal(text, position) || !isHexadecimal(text, position + 1)) return false;
    position += 2;
    for (let separators = 0; separators < MAXIMUM_SEPARATORS && isSeparator(text.charCodeAt(position)); separators += 1)
      position += 1;
  }
  return true;
}

function isHexadecimal(text: string, position: number): boolean {
  return HEXADECIMAL_DIGITS.has(text.charCodeAt(position));
}

function isSeparator(code: number): boolean {
  return SEPARATORS.has(code) || (code > LAST_ASCII && /\s/.test(String.fromCharCode(code)));
}

function decoded(encoded: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(encoded, encoding).toString('utf8');
}

function isText(encoded: string): boolean {
  if (hasControlCharacter(encoded)) return false;
  // A character that the sample cuts in two is no sign of anything.
  return !NOT_TEXT.test(decoded(encoded, 'base64').replace(/\ufffd$/, ''));
}

/**
 * Whether a text in base64 has one of ASCII's control characters that no text has. Most that is not text has one, and decoding all
 * of it takes longer.
 */
function hasControlCharacter(encoded: string): boolean {
  let bits = 0;
  for (let index = 0; index < encoded.length; index += 1) {
    bits = ((bits << 6) | SEXTETS[encoded.charCodeAt(index)]!) & 0xffff;
    // The number of bits that are left over behind the last whole byte.
    const left = (6 * (index + 1)) % 8;
    const byte = (bits >> left) & 0xff;
    if (left !== 6 && (byte < 0x20 || byte === 0x7f) && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return true;
  }
  return false;
}

/** Whether digits that are all zeros and ones are the bits of such a text. */
function isBinaryInjection(digits: string): boolean {
  if (!ONLY_BITS.test(digits)) return false;
  const bytes = digits.match(/[01]{8}/g)!.map((bits) => Number.parseInt(bits, 2));
  return isInjection(Buffer.from(bytes).toString('utf8'));
}

function isInjection(text: string): boolean {
  if (NOT_TEXT.test(text.slice(0, 64).replace(/\ufffd$/, ''))) return false;
  const words = new Set(Array.from(text.matchAll(WORDS), ([word]) => word.toLowerCase()));
  return words.size >= 2 || injectionNamesIn(text).size > 0;
}
