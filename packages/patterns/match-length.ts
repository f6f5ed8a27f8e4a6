import { isEmptyWidth, mostOf, PATTERN_PART, type PatternPart } from './pattern-parts.js';

/** A class that has a character beyond the first 65,536, which takes two code units, or may have one. */
const WIDE_CLASS = /^\[\^|\[:\^|\\[pPDSWx]|[\u{10000}-\u{10ffff}]/u;

/** A count that begins with a zero is none: the engine reads it as text. */
const PLAIN_COUNT = /^\{0\d|,0\d/;

/** A group whose end has not been read, or the whole pattern: the lengths of its alternatives. */
interface Group {
  /** The longest alternative that has ended. */
  longest: number;
  /** All but the last part of the alternative that is being read. */
  sum: number;
  /** The last part, which a quantifier may follow. */
  last: number;
}

/**
 * How long a match of a pattern in RE2 syntax can be, found without compiling it in a time that is linear in its length. A text whose
 * rest is not known yet has no match that begins so far from its end and is not known.
 *
 * @param pattern one that compiles: for another one the result is arbitrary
 * @returns a bound in UTF-16 code units, never too small, and greater than the longest match only where the pattern has escapes in
 *   hexadecimal or octal numbers or wide classes; undefined if there is none
 */
export function maximumMatchLength(pattern: string): number | undefined {
  const groups: Group[] = [];
  let group: Group = { longest: 0, sum: 0, last: 0 };
  const add = (length: number): void => {
    group.sum += group.last;
    group.last = length;
  };
  for (const { 0: part, groups: found = {} } of pattern.matchAll(PATTERN_PART)) {
    if (found.flags !== undefined || found.quoted === '') continue;
    if (found.open !== undefined) {
      groups.push(group);
      group = { longest: 0, sum: 0, last: 0 };
    } else if (part === ')') {
      const length = longestOf(group);
      group = groups.pop() ?? group;
      add(length);
    } else if (part === '|') group = { longest: longestOf(group), sum: 0, last: 0 };
    else if (found.quantifier !== undefined) group.last = repeated(group.last, part.startsWith('?') ? 1 : undefined);
    else if (found.counted !== undefined && !PLAIN_COUNT.test(part)) group.last = repeated(group.last, mostOf(found));
    else if (found.quoted !== undefined) {
      // A quantifier behind it is about its last character alone.
      const length = lastCharacterLength(found.quoted);
      add(found.quoted.length - length);
      add(length);
    } else if (isEmptyWidth(part)) add(0);
    else add(lengthOf(part, found));
  }
  const length = longestOf(group);
  return Number.isFinite(length) ? length : undefined;
}

/** Whether matches of a pattern depend on the character in front of them or behind them, or on the beginning or the end of the text. */
export function looksAround(pattern: string): boolean {
  return Array.from(pattern.matchAll(PATTERN_PART)).some(([part]) => isEmptyWidth(part));
}

function longestOf({ longest, sum, last }: Group): number {
  return Math.max(longest, sum + last);
}

/** @param most how often at most; undefined for any number of times */
function repeated(length: number, most: number | undefined): number {
  if (length === 0 || most === 0) return 0;
  return length * (most ?? Infinity);
}

/** The code units of a part that is one character, or text. */
function lengthOf(part: string, { unicode, perl, class: ofClass }: PatternPart): number {
  if (part === '.' || unicode !== undefined) return 2;
  if (perl !== undefined) return /[DSW]/.test(perl) ? 2 : 1;
  if (ofClass !== undefined) return WIDE_CLASS.test(ofClass) ? 2 : 1;
  // An escape with a number may be of any character; another one is of one letter or sign.
  if (part.startsWith('\\')) return part.length > 2 ? 2 : 1;
  return part.length;
}

function lastCharacterLength(text: string): number {
  return /[\u{10000}-\u{10ffff}]$/u.test(text) ? 2 : 1;
}
