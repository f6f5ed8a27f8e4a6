import type { TextPart } from '../engine/text-part.js';
import { EDGE_BITS, edgesOf } from '../engine/words.js';

/** Where words are followed to beyond their part, in code units. */
const MAXIMUM_WORD_LENGTH = 64;

const SEVEN_BITS = (1 << EDGE_BITS) - 1;

/** What a code unit is, as far as phrases begin with it. */
const OTHER = 0;
const IN_WORD = 1;
const MARK = 2;
const LINE = 3;

const KINDS = new Uint8Array(1 << 16);
for (let code = 0; code < 128; code += 1) KINDS[code] = kindOf(String.fromCharCode(code));

/** Words of ASCII letters and digits, and the marks that phrases begin with, in the order of the text. */
export interface AsciiWords {
  readonly starts: Int32Array;
  /** Excluded. */
  readonly ends: Int32Array;
  /** The first two characters and the last one of each (`edgesOf`). */
  readonly edges: Int32Array;
  /** Where `<`, `[`, `(`, `{` and `#` stand, and `=` and `-` in front of another one of the same. */
  readonly marks: Iterable<number>;
}

/**
 * The words and marks that begin in a part of a text. Words that all filters share have letters of other alphabets as well, at which
 * those of phrases end.
 */
export function asciiWordsIn(part: TextPart): AsciiWords {
  const { text, from, to, words } = part;
  if (words.isAscii) return words;
  const { codes } = words;
  const length = to - from;
  let begin = 0;
  if (isInWord(text, from - 1)) while (begin < length && KINDS[codes[begin]!] === IN_WORD) begin += 1;
  const found = readAsciiWords(codes, begin, length, from);
  const { starts, ends, edges } = found;
  const last = ends.length - 1;
  if (last < 0 || ends[last] !== to) return found;
  const end = wordEnd(text, to, starts[last]! + MAXIMUM_WORD_LENGTH);
  ends[last] = end;
  edges[last] = edgesOf(
    text.charCodeAt(starts[last]!),
    codes[starts[last]! - from + 1]! & SEVEN_BITS,
    text.charCodeAt(end - 1),
  );
  return found;
}

/** The words and marks of a short text. */
export function asciiWordsOf(text: string): AsciiWords {
  const codes = new Uint16Array(text.length + 1);
  for (let index = 0; index < text.length; index += 1) codes[index] = text.charCodeAt(index);
  return readAsciiWords(codes, 0, text.length);
}

/**
 * The words and marks of a text that is given by its code units.
 *
 * @param codes have one number at least behind the end
 * @param offset of the first one in the text
 */
export function readAsciiWords(codes: Uint16Array | Uint8Array, begin: number, end: number, offset = 0): AsciiWords {
  // Between two words stands one character at least.
  const most = Math.ceil((end - begin) / 2);
  const starts = new Int32Array(most);
  const ends = new Int32Array(most);
  const edges = new Int32Array(most);
  const marks: number[] = [];
  let count = 0;
  let index = begin;
  while (index < end) {
    const code = codes[index]!;
    const kind = KINDS[code]!;
    if (kind !== IN_WORD) {
      if (kind === MARK || (kind === LINE && codes[index + 1] === code)) marks.push(offset + index);
      index += 1;
      continue;
    }
    const first = index;
    do index += 1;
    while (index < end && KINDS[codes[index]!] === IN_WORD);
    starts[count] = offset + first;
    edges[count] = edgesOf(code, codes[first + 1]! & SEVEN_BITS, codes[index - 1]!);
    ends[count] = offset + index;
    count += 1;
  }
  return { starts: starts.subarray(0, count), ends: ends.subarray(0, count), edges: edges.subarray(0, count), marks };
}

function wordEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && isInWord(text, end)) end += 1;
  return end;
}

function isInWord(text: string, position: number): boolean {
  return KINDS[text.charCodeAt(position)] === IN_WORD;
}

function kindOf(character: string): number {
  if (/[A-Za-z0-9]/.test(character)) return IN_WORD;
  if ('<[({#'.includes(character)) return MARK;
  return '=-'.includes(character) ? LINE : OTHER;
}
