import { isAlphanumeric, isDigit, isLatinAlphanumeric, isLetter } from './character-kinds.js';

/** No number that is looked for has so many digits. */
const MAXIMUM_DIGITS = 32;

/** The end of the digits at a position, or of the first 32 of them. */
export function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end - start < MAXIMUM_DIGITS && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/**
 * Whether a number goes on at its end: with a letter or digit, or with one of the characters that join digits. Words of other alphabets
 * than the Latin one are no part of it.
 */
export function goesOn(text: string, end: number, joints: string): boolean {
  if (isLatinAlphanumeric(text.charCodeAt(end))) return true;
  return end < text.length && joints.includes(text.charAt(end)) && isDigit(text.charCodeAt(end + 1));
}

/** Whether a number has begun before its start: digits and one of the characters that join them precede it. */
export function hasBegun(text: string, start: number, joints: string): boolean {
  return start > 0 && joints.includes(text.charAt(start - 1)) && isAlphanumeric(text.charCodeAt(start - 2));
}

/** Whether a number has begun before its start, where a full stop behind a word may be that of an abbreviation, as in `Tel.030`. */
export function hasBegunBehindWord(text: string, start: number, joints: string): boolean {
  return hasBegun(text, start, joints) && !isAbbreviated(text, start);
}

function isAbbreviated(text: string, start: number): boolean {
  return text.charAt(start - 1) === '.' && isLetter(text.charCodeAt(start - 2)) && isLetter(text.charCodeAt(start - 3));
}
