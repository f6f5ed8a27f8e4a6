import { countOf, isEmptyWidth, mostOf, PATTERN_PART, type PatternPart } from './pattern-parts.js';

/** The estimated size of a pattern, known before compiling. */
export interface PatternSize {
  /** About the instructions of the program that the engine compiles, with plain text and classes as they weigh in time and memory. */
  readonly size: number;
  /** The nesting depth of groups. */
  readonly depth: number;
}

// How many of each cost as much time or memory as one instruction.
const PLAIN_CHARACTERS = 10;
const RANGES = 8;

/** Ranges of code points in `\p{...}`, and in `\w` and the like. */
const UNICODE_CLASS_RANGES = 800;
const SMALL_CLASS_RANGES = 150;

/** Nested repetitions grow exponentially; numbers are capped here. */
const GREATEST_NUMBER = 999_999_999;

const SMALL_CLASS = /\\[dDsSwW]|\[:/g;

/** A class in a class, or a range that ends beyond ASCII: with the flag i the engine looks up each of its characters. */
const WIDE = /\\[pP]|-(?:\\|[^\0-\x7f])/g;

/** What a part of a pattern comes to. */
interface Extent {
  readonly instructions: number;
  /** Its instructions, of which plain text counts less: what is repeated is no plain text. */
  readonly size: number;
}

const NOTHING: Extent = { instructions: 0, size: 0 };
const ONE: Extent = { instructions: 1, size: 1 };
const BAR: Extent = { instructions: 1, size: 1 / PLAIN_CHARACTERS };
const EMPTY_ALTERNATIVE: Extent = { instructions: 1, size: 1 };

/** Behind these, an alternative has nothing in it. */
const BEFORE_ALTERNATIVE: readonly Extent[] = [NOTHING, BAR, EMPTY_ALTERNATIVE];

/** A group whose end has not been read, or the whole pattern. */
interface Group {
  /** All but the last part, which a quantifier may follow. */
  sum: Extent;
  last: Extent;
  readonly ownInstructions: number;
}

/**
 * Measures a pattern in RE2 syntax without compiling it, in a time that is linear in its length. It does not check the syntax: the result
 * for an invalid pattern is arbitrary.
 *
 * @param maximumDepth groups that stand deeper than this are not read, and the depth is one more
 */
export function measurePattern(pattern: string, maximumDepth: number): PatternSize {
  const groups: Group[] = [];
  let group: Group = { sum: NOTHING, last: NOTHING, ownInstructions: 0 };
  let deepest = 0;
  let ranges = 0;
  const add = (extent: Extent): void => {
    group.sum = plus(group.sum, group.last);
    group.last = extent;
  };
  const close = (): void => {
    const outer = groups.pop();
    // A parenthesis that closes nothing: the engine refuses it.
    if (outer === undefined) return;
    const own = { instructions: group.ownInstructions, size: group.ownInstructions };
    const extent = plus(plus(group.sum, group.last), own);
    group = outer;
    add(extent.instructions === 0 ? ONE : extent);
  };
  for (const { 0: part, groups: found = {} } of pattern.matchAll(PATTERN_PART)) {
    if (found.flags !== undefined) continue;
    if (found.open !== undefined) {
      groups.push(group);
      group = { sum: NOTHING, last: NOTHING, ownInstructions: found.open.endsWith(':') ? 0 : 2 };
      deepest = Math.max(deepest, groups.length);
      if (deepest > maximumDepth) break;
    } else if (part === ')') close();
    else if (found.quantifier !== undefined) group.last = repeated(group.last, 0, undefined);
    else if (found.counted !== undefined) group.last = repeated(group.last, countOf(found.least!), mostOf(found));
    else if (part === '|') add(BEFORE_ALTERNATIVE.includes(group.last) ? EMPTY_ALTERNATIVE : BAR);
    else if (isEmptyWidth(part)) add(ONE);
    else if (found.quoted !== undefined) add(text(found.quoted.length));
    else {
      const width = rangesOf(part, found);
      ranges += width;
      add(width === 0 ? text(1) : ONE);
    }
  }
  while (groups.length > 0) close();
  const { size } = plus(group.sum, group.last);
  return { size: Math.min(Math.ceil(size + 2 + ranges / RANGES), GREATEST_NUMBER), depth: deepest };
}

/** How many ranges of code points a class has, at most; none for what is no class. */
function rangesOf(part: string, found: PatternPart): number {
  if (found.unicode !== undefined) return UNICODE_CLASS_RANGES;
  if (found.perl !== undefined) return SMALL_CLASS_RANGES;
  if (part === '.') return 2;
  if (found.class === undefined) return 0;
  const [wide, small] = [WIDE, SMALL_CLASS].map((expression) => part.match(expression)?.length ?? 0) as [
    number,
    number,
  ];
  return part.length / 2 + wide * UNICODE_CLASS_RANGES + small * SMALL_CLASS_RANGES;
}

function repeated({ instructions }: Extent, least: number, most: number | undefined): Extent {
  // Without a maximum the last copy is repeated, with two instructions more; each copy that may be missing has one more.
  const copies = most ?? Math.max(least, 1);
  const total = instructions * copies + (most === undefined ? 2 : Math.max(most - least, 0));
  const count = Math.min(Math.max(total, 1), GREATEST_NUMBER);
  return { instructions: count, size: count };
}

function text(characters: number): Extent {
  return { instructions: characters, size: characters / PLAIN_CHARACTERS };
}

function plus(one: Extent, other: Extent): Extent {
  return {
    instructions: Math.min(one.instructions + other.instructions, GREATEST_NUMBER),
    size: Math.min(one.size + other.size, GREATEST_NUMBER),
  };
}
