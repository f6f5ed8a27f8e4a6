/** The compiled size of a part of a pattern; every number is an upper bound. */
export interface Extent {
  /** Instructions of the compiled program. */
  readonly instructions: number;
  /** The number of these that match a character. */
  readonly matchers: number;
  /** The number of instructions for literal characters and bars outside of counted repetitions. */
  readonly plain: number;
  /** Ranges of code points in the instructions that match a character. */
  readonly ranges: number;
  /** Pieces side by side, where a text without repetitions is one piece. */
  readonly pieces: number;
}

/** The bounds of a repetition, such as `{2,5}`; without a maximum it is unbounded. */
export interface Repetition {
  readonly minimum: number;
  readonly maximum?: number;
}

/** The empty pattern: one no-op instruction. */
export const EMPTY: Extent = { instructions: 1, matchers: 0, plain: 0, ranges: 0, pieces: 1 };

/** An assertion, such as `^` and `\b`. */
export const ASSERTION: Extent = EMPTY;

/** A character of text. */
export const CHARACTER: Extent = { instructions: 1, matchers: 1, plain: 1, ranges: 1, pieces: 1 };

/** A character class. @param ranges its ranges of code points */
export function characterClass(ranges: number): Extent {
  return { instructions: 1, matchers: 1, plain: 0, ranges, pieces: 1 };
}

/** A capturing group: two additional instructions. */
export function captured(extent: Extent): Extent {
  return { ...extent, instructions: extent.instructions + 2, pieces: 1 };
}

/**
 * A repetition. The engine expands counted repetitions: `x{2,4}` is `xx(x(x)?)?`, with an instruction for each question
 * mark. A star is one instruction, and two if the repeated part may be empty.
 */
export function repeated(extent: Extent, { minimum, maximum }: Repetition): Extent {
  const copies = Math.max(1, minimum, maximum ?? 1);
  const choices = maximum === undefined ? (minimum === 0 ? 2 : 1) : Math.max(0, maximum - minimum);
  return {
    instructions: extent.instructions * copies + choices,
    matchers: extent.matchers * copies,
    plain: copies === 1 ? extent.plain : 0,
    ranges: extent.ranges * copies,
    pieces: 1,
  };
}

/** Parts side by side, or alternatives, added up. */
export class ExtentSum implements Extent {
  instructions = 0;
  matchers = 0;
  plain = 0;
  ranges = 0;
  pieces = 0;

  add({ instructions, matchers, plain, ranges, pieces }: Extent): void {
    this.instructions += instructions;
    this.matchers += matchers;
    this.plain += plain;
    this.ranges += ranges;
    this.pieces += pieces;
  }

  /** Adds characters of a text, which is counted as a piece where it ends. */
  addText(characters: number): void {
    this.instructions += characters;
    this.matchers += characters;
    this.plain += characters;
    this.ranges += characters;
  }
}
