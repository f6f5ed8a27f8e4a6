// The characters of JSON that say where its values begin and end, as bytes or code units, and where any character begins in UTF-8.

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/** By byte: 1 for these. */
export const MEANS_SOMETHING = new Uint8Array(256);
for (const code of [QUOTE, BACKSLASH, COMMA, COLON, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE]) {
  MEANS_SOMETHING[code] = 1;
}

/** How many bytes of UTF-8 a character has at most. */
const MAXIMUM_CHARACTER_BYTES = 4;

/** The least byte with which a character of several begins. */
const FIRST_OF_SEVERAL = 0b1100_0000;

/** Where the character begins in which a position is; the position itself where that is in none. @param bytes in UTF-8 */
export function beginningOfCharacter(bytes: Uint8Array, position: number): number {
  let start = position;
  while (start > position - MAXIMUM_CHARACTER_BYTES && isWithinCharacter(bytes[start]!)) start -= 1;
  return bytes[start]! >= FIRST_OF_SEVERAL ? start : position;
}

/** All bytes of a character but the first have these bits. */
function isWithinCharacter(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
