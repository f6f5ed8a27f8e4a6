const FIRST_DIGIT = 0x30;
const LAST_DIGIT = 0x39;

/** What sets the capital letters of ASCII apart from the small ones. */
const SMALL = 0x20;
const FIRST_LETTER = 0x61;
const LAST_LETTER = 0x7a;

/** The first and last letter of the Latin, Greek and Cyrillic blocks beyond ASCII, between which nearly all are letters. */
const FIRST_EXTENDED_LETTER = 0xc0;
export const LAST_EXTENDED_LETTER = 0x52f;

const FIRST_GREEK_LETTER = 0x370;

/** Whether a code unit is an ASCII digit. NaN, the code beyond either end of a text, is not. */
export function isDigit(code: number): boolean {
  return code >= FIRST_DIGIT && code <= LAST_DIGIT;
}

/** Whether a code unit is a letter of the Latin, Greek or Cyrillic alphabet. NaN is not. */
export function isLetter(code: number): boolean {
  if (code < 128) return (code | SMALL) >= FIRST_LETTER && (code | SMALL) <= LAST_LETTER;
  return code >= FIRST_EXTENDED_LETTER && code <= LAST_EXTENDED_LETTER && code !== 0xd7 && code !== 0xf7;
}

const ALPHANUMERIC = Uint8Array.from({ length: LAST_EXTENDED_LETTER + 1 }, (_, code) =>
  Number(isDigit(code) || isLetter(code)),
);

/** Whether a code unit is a letter or an ASCII digit. NaN is not. */
export function isAlphanumeric(code: number): boolean {
  return code <= LAST_EXTENDED_LETTER && ALPHANUMERIC[code] === 1;
}

/** Whether a code unit is an ASCII digit, or a letter of the alphabet that words with digits are written in. NaN is not. */
export function isLatinAlphanumeric(code: number): boolean {
  return code < FIRST_GREEK_LETTER && isAlphanumeric(code);
}

/** A set of ASCII characters. */
export class AsciiSet {
  private readonly isMember: Uint8Array;

  /** @param isMember whether a character belongs to it */
  constructor(isMember: (character: string) => boolean) {
    this.isMember = Uint8Array.from({ length: 128 }, (_, code) => Number(isMember(String.fromCharCode(code))));
  }

  /** Whether a code unit belongs to the set. NaN does not. */
  has(code: number): boolean {
    // Reading beyond the end of the array would be slow.
    return code < 128 && this.isMember[code] === 1;
  }
}
