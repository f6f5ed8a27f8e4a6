import { readEscape } from './escape.js';
import type { PatternReader } from './pattern-reader.js';

/** The most ranges that the engine makes of `\p{...}`, of `\P{...}` and of either without case (Unicode 17: 762). */
export const UNICODE_CLASS_RANGES = 800;

/** The most ranges that it makes of `\w`, `[:word:]` and their like, and of these without case. */
export const SMALL_CLASS_RANGES = 150;

/** The code points that have another case lie between these. */
const FIRST_CASED = 0x41;
const LAST_CASED = 0x1e943;

/** A bound for how many ranges all cases of all characters make. */
const ALL_CASES_RANGES = 6_000;

/** The engine folds so many characters in the time in which it sorts one range. */
const FOLDED_CHARACTERS_PER_RANGE = 16;

/** The engine looks through so many characters for `:]` in the time in which it sorts one range. */
const SEARCHED_CHARACTERS_PER_RANGE = 64;

/**
 * Reads a class in brackets.
 *
 * @param reader at the opening bracket, and afterwards behind the closing one
 * @param ignoresCase whether the flag `i` is set
 * @returns a bound for the ranges of code points that the engine collects for it, and for the time that it takes
 */
export function readClassWidth(reader: PatternReader, ignoresCase: boolean): number {
  reader.take('[');
  // A negated class has one range more than what it negates.
  let width = reader.take('^') ? 2 : 1;
  for (let isFirst = true; reader.hasMore && (isFirst || !reader.isAt(']')); isFirst = false) {
    width += readItemWidth(reader, ignoresCase);
  }
  reader.take(']');
  return width;
}

/** How many ranges at most, or as much time, a range of characters takes. */
function rangeWidth(first: number, last: number, ignoresCase: boolean): number {
  if (!ignoresCase) return 1;
  const cased = Math.min(last, LAST_CASED) - Math.max(first, FIRST_CASED) + 1;
  if (cased <= 0) return 1;
  return 3 + Math.min(4 * cased, ALL_CASES_RANGES) + Math.ceil(cased / FOLDED_CHARACTERS_PER_RANGE);
}

function readItemWidth(reader: PatternReader, ignoresCase: boolean): number {
  if (reader.isAt('[:')) {
    const searched = reader.remaining;
    if (reader.takeNamedClass()) return SMALL_CLASS_RANGES;
    return Math.ceil(searched / SEARCHED_CHARACTERS_PER_RANGE) + readRangeWidth(reader, ignoresCase);
  }
  return readRangeWidth(reader, ignoresCase);
}

function readRangeWidth(reader: PatternReader, ignoresCase: boolean): number {
  const first = readClassCharacter(reader);
  if (typeof first !== 'number') return first.width;
  if (!reader.isAt('-') || reader.isAt('-]')) return rangeWidth(first, first, ignoresCase);
  reader.take('-');
  // The end of a range is a character in every pattern that the engine takes.
  const last = readClassCharacter(reader);
  return typeof last === 'number' ? rangeWidth(first, last, ignoresCase) : last.width;
}

function readClassCharacter(reader: PatternReader): number | { readonly width: number } {
  if (!reader.isAt('\\')) return reader.next() ?? 0;
  const escape = readEscape(reader);
  if (escape.kind === 'character') return escape.codePoint;
  return { width: escape.kind === 'unicode-class' ? UNICODE_CLASS_RANGES : SMALL_CLASS_RANGES };
}
