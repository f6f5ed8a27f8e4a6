import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { AsciiSet, isAlphanumeric, isDigit } from './character-kinds.js';
import { isCountryNumber } from './country-numbers.js';
import { goesOn, hasBegun } from './numbers.js';

/** One separator between groups of digits, or none. */
const JOINT = '[ \\u00a0.\\u2010-\\u2013/-]?';

/** A plus sign or two zeros, and 7 to 15 digits in groups, of which one may be in parentheses. */
const INTERNATIONAL = new RegExp(
  `(?:\\+|00)[ ]?[1-9]\\d{0,3}${JOINT}(?:\\(\\d{1,5}\\)${JOINT})?\\d{1,14}(?:${JOINT}\\d{1,10}){0,6}`,
  'y',
);

/** A national form, and the numbers that begin like it. */
interface NationalForm {
  readonly firstCharacters: string;
  readonly expression: RegExp;
}

/** National forms, by how they are grouped. A form has at most one way to match at a position. */
const NATIONAL: readonly NationalForm[] = [
  // North America: 212-555-0123, (212) 555-0123, 1-212-555-0123.
  {
    firstCharacters: '(123456789',
    expression: /(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .\u2010-\u2013-])[2-9]\d{2}[ .\u2010-\u2013-]\d{4}/y,
  },
  // With the trunk prefix 0, as in most of Europe, Asia, Africa and Oceania: 020 7946 0958, (030) 123456, 090-1234-5678.
  {
    firstCharacters: '(0',
    expression:
      /(?:\(0\d{1,4}\) ?|0[1-9]\d{0,4}[ \u00a0.\u2010-\u2013/-])\d{2,8}(?:[ \u00a0.\u2010-\u2013-]\d{2,6}){0,4}/y,
  },
  // Mobile numbers of the United Kingdom in one piece: 07700900123.
  { firstCharacters: '0', expression: /07[1-9]\d{8}/y },
  // India: 98765 43210.
  { firstCharacters: '6789', expression: /[6-9]\d{4}[ \u00a0-]\d{5}/y },
  // China: 138-1234-5678.
  { firstCharacters: '1', expression: /1[3-9]\d([ -])\d{4}\1\d{4}/y },
  // Brazil: (11) 91234-5678.
  { firstCharacters: '(', expression: /\([1-9]{2}\) ?9?\d{4}-\d{4}/y },
  // Russia: 8 (495) 123-45-67, 8-916-123-45-67.
  { firstCharacters: '8', expression: /8[ -]?(?:\([3-9]\d{2}\)|[3-9]\d{2})[ -]\d{3}[ -]\d{2}[ -]\d{2}/y },
];

const NATIONAL_BY_FIRST_CHARACTER: ReadonlyMap<string, readonly RegExp[]> = new Map(
  Array.from('(0123456789', (first) => [
    first,
    NATIONAL.filter(({ firstCharacters }) => firstCharacters.includes(first)).map(({ expression }) => expression),
  ]),
);

/** Digits in any groups, which count as a number when a word says so. */
const ANNOUNCED = /\(?\d(?:[ \u00a0.\u2010-\u2013/()-]{0,2}\d){6,14}/y;
const ANNOUNCEMENT =
  /(?:\b(?:phone|telephone|tel|mobile|cell|cellphone|call|fax|whatsapp|sms|dial|hotline|telefon|handy|t[eé]l[eé]phone|tel[eé]fono|celular|telefone|m[oó]vil)\b|电话|手机|電話|टेलीफोन|телефон)[^\d\n]{0,12}$/iu;
const LONGEST_ANNOUNCEMENT = 32;

const JOINTS = '-./_\u2010\u2011\u2012\u2013';

/** What may stand between two digits, in any of the forms, and how much of it. */
const BETWEEN_DIGITS = new AsciiSet((character) => ' ./()-'.includes(character));
const RARELY_BETWEEN_DIGITS = new Set(
  Array.from('\u00a0\u2010\u2011\u2012\u2013', (character) => character.charCodeAt(0)),
);
const MOST_BETWEEN = 2;

const FEWEST_DIGITS = 7;
const FEWEST_TRUNK_DIGITS = 9;
const MOST_TRUNK_DIGITS = 12;

/** A day, a month and a year: what the digits of dates are grouped like. */
const DATE = /^\(?(?:0?[1-9]|[12]\d|3[01])[ ./-](?:0?[1-9]|[12]\d|3[01])[ ./-](?:19|20)\d{2}/;

/** Finds telephone numbers (docs/interface/content-filters.md#phone). */
export const PHONE: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    let position = from;
    for (const digit of part.words.numbers) {
      if (digit >= position) position = findPhone(part.text, digit, found);
    }
    return Math.max(position, part.to);
  },
};

/** Looks for a telephone number whose first digit stands here. @returns where the search goes on */
function findPhone(text: string, digit: number, found: MatchHandler): number {
  if (!hasEnoughDigits(text, digit)) return digit;
  // A parenthesis may be part of the number, or stand around it.
  const before = startBefore(text, digit);
  let start = before;
  let end = endOf(text, start);
  if (end === -1 && before < digit) {
    start = digit;
    end = endOf(text, start);
  }
  if (end === -1) return digit;
  found(start, end);
  return end;
}

/**
 * Whether as many digits follow as a number has at least, with no more than two characters between any of them. Most numbers are
 * left out by this, which is much cheaper than the expressions.
 */
function hasEnoughDigits(text: string, start: number): boolean {
  let digits = 0;
  let between = 0;
  for (let position = start; digits < FEWEST_DIGITS; position += 1) {
    const code = text.charCodeAt(position);
    if (isDigit(code)) {
      digits += 1;
      between = 0;
    } else {
      between += 1;
      if (between > MOST_BETWEEN || !(BETWEEN_DIGITS.has(code) || RARELY_BETWEEN_DIGITS.has(code))) return false;
    }
  }
  return true;
}

/** A plus sign or a parenthesis before the first digit belongs to the number. */
function startBefore(text: string, digit: number): number {
  let start = digit;
  if (text.charAt(start - 1) === '(') start -= 1;
  if (text.charAt(start - 1) === '+') start -= 1;
  return isAlphanumeric(text.charCodeAt(start - 1)) && start < digit ? digit : start;
}

/** @returns the end of the telephone number at a position; -1 if there is none */
function endOf(text: string, start: number): number {
  if (hasBegun(text, start, JOINTS)) return -1;
  const end = internationalEnd(text, start);
  if (end !== -1 || text.charAt(start) === '+') return end;
  for (const form of NATIONAL_BY_FIRST_CHARACTER.get(text.charAt(start)) ?? []) {
    const nationalEnd = longestEnd(form, text, start, isNational);
    if (nationalEnd !== -1) return nationalEnd;
  }
  return isAnnounced(text, start) ? longestEnd(ANNOUNCED, text, start, isLongEnough) : -1;
}

function internationalEnd(text: string, start: number): number {
  if (text.charAt(start) !== '+' && !text.startsWith('00', start)) return -1;
  return longestEnd(INTERNATIONAL, text, start, isInternational);
}

/**
 * The end of the longest beginning of a match that is a number: its groups may go on with what is another number.
 *
 * @returns -1 if there is none
 */
function longestEnd(form: RegExp, text: string, start: number, isNumber: (number: string) => boolean): number {
  form.lastIndex = start;
  let [number = ''] = form.exec(text) ?? [];
  for (; number !== ''; number = beginning(number)) {
    const end = start + number.length;
    if (!goesOn(text, end, JOINTS) && isNumber(number)) return end;
  }
  return -1;
}

/** A number without its last group. */
function beginning(number: string): string {
  return number.replace(/\D*\d+\D*$/, '');
}

function isInternational(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  if (number.startsWith('+')) return isCountryNumber(digits);
  // Two zeros at the beginning of a plain number are more likely those of an identifier.
  return digits.length < number.length && isCountryNumber(digits.slice(2));
}

function isNational(number: string): boolean {
  if (DATE.test(number)) return false;
  const digits = number.replace(/\D/g, '');
  if (!digits.startsWith('0')) return true;
  return digits.length >= FEWEST_TRUNK_DIGITS && digits.length <= MOST_TRUNK_DIGITS;
}

function isLongEnough(number: string): boolean {
  return number.replace(/\D/g, '').length >= FEWEST_DIGITS && !DATE.test(number);
}

function isAnnounced(text: string, start: number): boolean {
  // Most numbers that come here follow another one, which nothing announces twice.
  if (isDigit(text.charCodeAt(start - 2))) return false;
  return ANNOUNCEMENT.test(text.slice(Math.max(0, start - LONGEST_ANNOUNCEMENT), start));
}
