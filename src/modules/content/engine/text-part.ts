import { isAlphanumeric, isDigit } from '../builtins/character-kinds.js';

/** Where words are followed to, in code units: no filter looks for a longer one. */
const LONGEST_WORD = 64;

/** Where words are, by their order. */
export interface Words {
  readonly starts: Int32Array;
  /** Excluded. Words that are longer than any that is looked for end early. */
  readonly ends: Int32Array;
  /** The starts of the words that begin with a digit. */
  readonly numbers: Int32Array;
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
  let count = 0;
  let numberCount = 0;
  for (let position = partWordEnd(text, from, to); position < to; position += 1) {
    const code = text.charCodeAt(position);
    if (!isAlphanumeric(code)) continue;
    starts[count] = position;
    if (isDigit(code)) numbers[numberCount++] = position;
    position = wordEnd(text, position + 1, to);
    ends[count++] = position < to ? position : wordEnd(text, position, starts[count - 1]! + LONGEST_WORD);
  }
  return {
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    numbers: numbers.subarray(0, numberCount),
  };
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
