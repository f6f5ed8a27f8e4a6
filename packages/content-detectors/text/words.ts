import { endianness } from 'node:os';
import { isAlphanumeric, isDigit, isLetter, LAST_EXTENDED_LETTER } from './character-kinds.js';
import { digitsEnd } from './numbers.js';

/** The length up to which a word is followed beyond its part, in code units: no filter looks for a longer one. */
const MAXIMUM_WORD_LENGTH = 64;

/** The last code unit of ASCII. */
const LAST_ASCII = 0x7f;

/** The kinds of code units; those that words consist of come last. */
const OTHER = 0;
const MARK = 1;
const LINE = 2;
const COLON = 3;
const LETTER = 4;
const DIGIT = 5;

/** The kind of every code unit; with all of them in the table, none has to be compared with its end. */
const CHARACTER_KINDS = new Uint8Array(1 << 16);
for (let code = 0; code <= LAST_EXTENDED_LETTER; code += 1) CHARACTER_KINDS[code] = kindOf(code);

const IS_BIG_ENDIAN = endianness() === 'BE';

/** The code units after a part that are read with it. */
export const READ_BEHIND = 16;

/** The places of the words of a part (runs of letters and digits), and of other characters with which filters begin, each in order. */
export interface Words {
  readonly starts: Int32Array;
  /** Excluded. Words that are longer than any that is looked for end early. */
  readonly ends: Int32Array;
  /** The first two characters and the last one of each ({@link edgesOf}). */
  readonly edges: Int32Array;
  /** The starts of the words that begin with a digit. */
  readonly numbers: Int32Array;
  /** The ends of the digits with which these words begin. */
  readonly digitEnds: Int32Array;
  /** The places of `<`, `[`, `(`, `{` and `#`, and of `=` and `-` before another of the same. */
  readonly marks: Int32Array;
  readonly colons: Int32Array;
  /** The code units of the part, and {@link READ_BEHIND} more: zeros after the end of the text. */
  readonly codes: Uint16Array;
  /** Whether all letters of the words, and of the one that has begun before the part, are those of ASCII. */
  readonly isAscii: boolean;
  /** Whether all code units of the part are those of ASCII, those between the words included. */
  readonly isAsciiThroughout: boolean;
  /** All bits together of the code units between the words. */
  readonly otherBits: number;
}

/** The memory for the words of one part after the other: allocating it for each part would take as long as finding the words. */
export class WordRoom {
  readonly codes: Uint16Array;
  readonly bytes: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly edges: Int32Array;
  readonly numbers: Int32Array;
  readonly digitEnds: Int32Array;
  readonly marks: Int32Array;
  readonly colons: Int32Array;
  /** How many entries of each list belong to the part. */
  count = 0;
  numberCount = 0;
  markCount = 0;
  colonCount = 0;
  /** All bits of the letters together. */
  letters = 0;
  /** All bits together of what is neither a letter nor a digit. */
  others = 0;

  /** @param length the length of the longest part, in code units */
  constructor(length: number) {
    // Between two words stands one character at least.
    const most = Math.ceil(length / 2);
    this.codes = new Uint16Array(length + READ_BEHIND);
    this.bytes = Buffer.from(this.codes.buffer);
    this.starts = new Int32Array(most);
    this.ends = new Int32Array(most);
    this.edges = new Int32Array(most);
    this.numbers = new Int32Array(most);
    this.digitEnds = new Int32Array(most);
    this.marks = new Int32Array(length);
    this.colons = new Int32Array(length);
  }
}

/** The bits of a character of ASCII. */
export const EDGE_BITS = 7;

/**
 * The first two characters of a word and its last one as one number, by which filters skip nearly all words without another look at the
 * text. For characters beyond ASCII the number is meaningless.
 */
export function edgesOf(first: number, second: number, last: number): number {
  return first | (second << EDGE_BITS) | (last << (2 * EDGE_BITS));
}

/**
 * Finds the words that begin in a part of a text.
 *
 * @param room where the words are stored
 */
export function wordsIn(text: string, from: number, to: number, room: WordRoom): Words {
  // Numbers in a list are read in half the time that characters of a text take.
  readCodes(text, from, to, room);
  const begin = partWordEnd(text, from, to);
  readWords(room, from, begin - from, to - from);
  const begun = begin === from ? 0 : bitsOf(text, from - 1, begin);
  const { starts, ends, edges, numbers, digitEnds, marks, colons, count, numberCount, markCount, colonCount } = room;
  const last = completeLast(room, text, to);
  return {
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    edges: edges.subarray(0, count),
    numbers: numbers.subarray(0, numberCount),
    digitEnds: digitEnds.subarray(0, numberCount),
    marks: marks.subarray(0, markCount),
    colons: colons.subarray(0, colonCount),
    codes: room.codes,
    isAscii: (begun | room.letters | last) <= LAST_ASCII,
    isAsciiThroughout: (begun | room.letters | room.others) <= LAST_ASCII,
    otherBits: room.others,
  };
}

/**
 * Reads the words of a part. V8 compiles this loop well as long as the function has no rare branches, not even after the loop.
 *
 * @param from the start of the part
 * @param begin where reading begins in the part
 */
function readWords(room: WordRoom, from: number, begin: number, length: number): void {
  const { codes, starts, ends, edges, numbers, digitEnds, marks, colons } = room;
  let count = 0;
  let numberCount = 0;
  let markCount = 0;
  let colonCount = 0;
  let letters = 0;
  let others = 0;
  let index = begin;
  while (index < length) {
    let code = codes[index]!;
    const kind = CHARACTER_KINDS[code]!;
    if (kind < LETTER) {
      if (kind === COLON) colons[colonCount++] = from + index;
      else if (kind === MARK || (kind === LINE && codes[index + 1] === code)) marks[markCount++] = from + index;
      others |= code;
      index += 1;
      continue;
    }
    const first = index;
    if (kind === DIGIT) {
      do index += 1;
      while (index < length && CHARACTER_KINDS[codes[index]!] === DIGIT);
      numbers[numberCount] = from + first;
      digitEnds[numberCount++] = from + index;
    }
    while (index < length && CHARACTER_KINDS[(code = codes[index]!)]! >= LETTER) {
      letters |= code;
      index += 1;
    }
    starts[count] = from + first;
    edges[count] = edgesOf(codes[first]!, codes[first + 1]!, codes[index - 1]!);
    ends[count++] = from + index;
  }
  room.count = count;
  room.numberCount = numberCount;
  room.markCount = markCount;
  room.colonCount = colonCount;
  room.letters = letters;
  room.others = others;
}

/** Follows the last word beyond the end of its part. @returns the bits of its letters there */
function completeLast(
  { count, starts, ends, edges, numberCount, numbers, digitEnds }: WordRoom,
  text: string,
  to: number,
): number {
  const last = count - 1;
  if (last < 0 || ends[last] !== to) return 0;
  const start = starts[last]!;
  const end = wordEnd(text, to, start + MAXIMUM_WORD_LENGTH);
  ends[last] = end;
  edges[last] = edgesOf(text.charCodeAt(start), text.charCodeAt(start + 1), text.charCodeAt(end - 1));
  const number = numberCount - 1;
  if (number >= 0 && digitEnds[number] === to) digitEnds[number] = digitsEnd(text, numbers[number]!);
  return bitsOf(text, to, end);
}

function readCodes(text: string, from: number, to: number, { codes, bytes }: WordRoom): void {
  const length = bytes.write(text.slice(from, to + READ_BEHIND), 'utf16le');
  if (IS_BIG_ENDIAN) bytes.swap16();
  // There is nothing after the end of a text.
  codes.fill(0, length / Uint16Array.BYTES_PER_ELEMENT, to - from + READ_BEHIND);
}

function kindOf(code: number): number {
  if (isLetter(code)) return LETTER;
  if (isDigit(code)) return DIGIT;
  const character = String.fromCharCode(code);
  if ('<[({#'.includes(character)) return MARK;
  if ('=-'.includes(character)) return LINE;
  return character === ':' ? COLON : OTHER;
}

function bitsOf(text: string, from: number, to: number): number {
  let bits = 0;
  for (let position = from; position < to; position += 1) bits |= text.charCodeAt(position);
  return bits;
}

/** The end of the word that has begun before a part. */
function partWordEnd(text: string, from: number, to: number): number {
  return isAlphanumeric(text.charCodeAt(from - 1)) ? wordEnd(text, from, to) : from;
}

function wordEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && isAlphanumeric(text.charCodeAt(end))) end += 1;
  return end;
}
