import { AsciiSet, isAlphanumeric, isDigit } from '../builtins/character-kinds.js';

/** Where words are followed to, in code units: no filter looks for a longer one. */
const LONGEST_WORD = 64;

/** The characters other than letters and digits that a filter looks for phrases behind. */
const MARKS = new AsciiSet((character) => '<[({#=-'.includes(character));

/** The last code unit of ASCII. */
const LAST_ASCII = 0x7f;

/** Where words and marks are, by their order. */
export interface Words {
  readonly starts: Int32Array;
  /** Excluded. Words that are longer than any that is looked for end early. */
  readonly ends: Int32Array;
  /** The starts of the words that begin with a digit. */
  readonly numbers: Int32Array;
  /** Where `<`, `[`, `(`, `{`, `#`, `=` and `-` stand. */
  readonly marks: Int32Array;
  /** Whether all letters of the words, and of the one that has begun before the part, are those of ASCII. */
  readonly isAscii: boolean;
}

/**
 * A part of a text, and where its words are: all filters need them, and finding them is most of what most filters would do. Words
 * are runs of letters and digits.
 */
export class TextPart {
  private found: Words | undefined;

  /** @param to the end of the part, excluded */
  constructor(
    readonly text: string,
    readonly from: number,
    readonly to: number,
  ) {}

  /** The words that begin in the part. */
  get words(): Words {
    this.found ??= wordsIn(this.text, this.from, this.to);
    return this.found;
  }

  /** Where a text next begins in the part: -1 if it does not. */
  indexOf(searched: string, from: number): number {
    // A search in the whole text would go through all of its rest for each part.
    const index = this.text.slice(from, this.to + searched.length - 1).indexOf(searched);
    return index === -1 ? -1 : from + index;
  }
}

function wordsIn(text: string, from: number, to: number): Words {
  // Between two words stands one character at least.
  const most = Math.ceil((to - from) / 2);
  const [starts, ends, numbers] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const marks = new Int32Array(to - from);
  let [count, numberCount, markCount] = [0, 0, 0];
  const begin = partWordEnd(text, from, to);
  // All bits of the letters together.
  let letters = begin === from ? 0 : bitsOf(text, from - 1, begin);
  for (let position = begin; position < to; position += 1) {
    const first = text.charCodeAt(position);
    if (!isAlphanumeric(first)) {
      if (MARKS.has(first)) marks[markCount++] = position;
      continue;
    }
    starts[count] = position;
    if (isDigit(first)) numbers[numberCount++] = position;
    letters |= first;
    for (position += 1; position < to; position += 1) {
      const code = text.charCodeAt(position);
      if (!isAlphanumeric(code)) {
        if (MARKS.has(code)) marks[markCount++] = position;
        break;
      }
      letters |= code;
    }
    ends[count++] = position;
  }
  const last = count - 1;
  if (last >= 0 && ends[last] === to) {
    ends[last] = wordEnd(text, to, starts[last]! + LONGEST_WORD);
    letters |= bitsOf(text, to, ends[last]);
  }
  return {
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    numbers: numbers.subarray(0, numberCount),
    marks: marks.subarray(0, markCount),
    isAscii: letters <= LAST_ASCII,
  };
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
