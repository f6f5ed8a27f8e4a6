import { isAlphanumeric, isDigit } from './character-kinds.js';

/**
 * Goes through the numbers of a part of a text: each digit that no letter or digit precedes.
 *
 * @param read takes where the digits begin and end; what it returns is where the search goes on if that lies further on
 * @returns where the next part starts
 */
export function eachNumber(
  text: string,
  from: number,
  to: number,
  read: (start: number, end: number) => number,
): number {
  let position = from;
  while (position < to) {
    if (!isDigit(text.charCodeAt(position))) {
      position += 1;
    } else if (isAlphanumeric(text.charCodeAt(position - 1))) {
      position = digitsEnd(text, position);
    } else {
      const end = digitsEnd(text, position);
      position = Math.max(read(position, end), end);
    }
  }
  return position;
}

/** The end of the digits at a position. */
export function digitsEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Whether a number goes on at its end: with a letter or digit, or with one of the characters that join digits. */
export function goesOn(text: string, end: number, joints: string): boolean {
  if (isAlphanumeric(text.charCodeAt(end))) return true;
  return end < text.length && joints.includes(text.charAt(end)) && isDigit(text.charCodeAt(end + 1));
}

/** Whether a number has begun before its start: digits and one of the characters that join them precede it. */
export function hasBegun(text: string, start: number, joints: string): boolean {
  return start > 0 && joints.includes(text.charAt(start - 1)) && isAlphanumeric(text.charCodeAt(start - 2));
}
