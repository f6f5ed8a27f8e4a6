/** What a part of a pattern comes to in the engine; every number is an upper bound. */
export interface Extent {
  /** Instructions of the compiled program. */
  readonly instructions: number;
  /** How many of them match a character. */
  readonly matchers: number;
  /** How many instructions stand for a character or a bar of the pattern's own text, in no counted repetition. */
  readonly plain: number;
  /** Ranges of code points in the instructions that match a character. */
  readonly ranges: number;
  /** Pieces side by side, where a text without repetitions is one piece. */
  readonly pieces: number;
}

/** How often something may stand, as in `{2,5}`; an absent maximum is none. */
export interface Repetition {
  readonly minimum: number;
  readonly maximum?: number;
}

/** What matches the empty text: an instruction that does nothing. */
export const EMPTY: Extent = { instructions: 1, matchers: 0, plain: 0, ranges: 0, pieces: 1 };

/** An assertion, such as `^` and `\b`. */
export const ASSERTION: Extent = EMPTY;

/** A character of text. */
export const CHARACTER: Extent = { instructions: 1, matchers: 1, plain: 1, ranges: 1, pieces: 1 };

/** A character class. @param ranges its ranges of code points */
export function characterClass(ranges: number): Extent {
  return { instructions: 1, matchers: 1, plain: 0, ranges, pieces: 1 };
}

/** Something within parentheses that capture: two instructions more. */
export function captured(extent: Extent): Extent {
  return { ...extent, instructions: extent.instructions + 2, pieces: 1 };
}

/**
 * Something repeated. The engine writes out what is counted: `x{2,4}` is `xx(x(x)?)?`, with an instruction for each
 * question mark. A star is an instruction, and another one when what it repeats may be empty.
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
