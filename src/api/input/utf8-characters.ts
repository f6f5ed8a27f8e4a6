/** Bytes of UTF-8. */
const LONGEST_CHARACTER = 4;

/** The least byte with which a character of several begins. */
const FIRST_OF_SEVERAL = 0b1100_0000;

/** Where the character begins in which a position is; the position itself where that is in none. @param bytes in UTF-8 */
export function beginningOfCharacter(bytes: Uint8Array, position: number): number {
  let start = position;
  while (start > position - LONGEST_CHARACTER && isWithinCharacter(bytes[start]!)) start -= 1;
  return bytes[start]! >= FIRST_OF_SEVERAL ? start : position;
}

/** All bytes of a character but the first have these bits. */
function isWithinCharacter(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
