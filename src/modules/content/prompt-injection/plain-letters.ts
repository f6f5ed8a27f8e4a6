import { LOOKALIKES } from './lookalikes.js';

const LAST_ASCII = 0x7f;
const LAST_CODE_POINT = 0x10ffff;

/** Stands for characters without a plain one: the last of ASCII, which belongs to no word and to no phrase. */
const NO_PLAIN_CHARACTER = LAST_ASCII;

/** Unicode tags, which repeat ASCII and are not seen, and how far they are from it. */
const FIRST_TAG = 0xe0020;
const LAST_TAG = 0xe007e;
const TAGS = 0xe0000;

/** What is not seen by itself: soft hyphens, joiners, marks of direction, variation selectors, accents. */
const NOT_SEEN = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}]/u;

/** The apostrophe beyond ASCII, which phrases have as well. */
const APOSTROPHE = 0x2019;

/** The bit of characters that are changed. */
const CHANGED = 0x80;

/** The plain form of each code point that has occurred; zero for the others. */
const FORMS = new Uint8Array(LAST_CODE_POINT + 1);

/**
 * How a character is written in plain letters: one of ASCII, to be read with {@link isChanged} and {@link plainCode}.
 *
 * @param codePoint also that of half a surrogate pair
 */
export function plainForm(codePoint: number): number {
  const known = FORMS[codePoint]!;
  if (known !== 0) return known;
  const form = formOf(codePoint);
  FORMS[codePoint] = form;
  return form;
}

/** Whether readers take a character for another one, or see none, which is what a disguise is made of. */
export function isChanged(form: number): boolean {
  return form >= CHANGED;
}

/** The code of the plain character; zero for a character that is left out. */
export function plainCode(form: number): number {
  return form & LAST_ASCII;
}

/** Whether a code point is one of the Unicode tags that repeat a character of ASCII. */
export function isTag(codePoint: number): boolean {
  return codePoint >= FIRST_TAG && codePoint <= LAST_TAG;
}

function formOf(codePoint: number): number {
  if (codePoint === 0) return NO_PLAIN_CHARACTER;
  if (codePoint <= LAST_ASCII) return codePoint;
  if (isTag(codePoint)) return CHANGED | (codePoint - TAGS);
  if (codePoint === APOSTROPHE) return "'".charCodeAt(0);
  const character = String.fromCodePoint(codePoint);
  if (/\s/.test(character)) return ' '.charCodeAt(0);
  if (NOT_SEEN.test(character)) return CHANGED;
  const letter = letterIn(character);
  return letter === undefined ? NO_PLAIN_CHARACTER : CHANGED | letter.charCodeAt(0);
}

/** The first Latin letter that a character is made of, or that a letter it is made of looks like. */
function letterIn(character: string): string | undefined {
  const letters = Array.from(character.normalize('NFKD'), (part) => LOOKALIKES.get(part) ?? part);
  return letters.find((letter) => /[A-Za-z]/.test(letter));
}
