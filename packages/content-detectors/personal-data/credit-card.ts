import type { Detector, MatchHandler } from '../text/detector.js';
import { matchAt, matchesAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { searchNumbers } from './number-search.js';
import { digitsEnd, goesOn, hasBegunBehindWord } from '../text/numbers.js';

/** Cards of 14 digits in groups of four, as forms with fields for four digits have them. */
const SHORT_FORM = /\d{4}( - |[ \t.+-])\d{4}\1\d{4}\1\d{2}/y;

/** Digits without gaps, or in the groups that cards are printed with; the longest comes first. A plus sign is a space in addresses. */
const FORMS: readonly RegExp[] = [
  /\d{14,19}/y,
  /\d{4}( - |[ \t.+-])\d{4}\1\d{4}\1\d{4}\1\d{3}/y,
  /\d{4}( - |[ \t.+-])\d{4}\1\d{4}\1\d{4}/y,
  /\d{4}( - |[ \t.+-])\d{6}\1\d{4,5}/y,
  SHORT_FORM,
];

/** Old cards, in one piece or in the groups that they were printed with. Articles in shops have such numbers, so a word has to tell. */
const OLD_FORM = /4(?:\d{12}|\d{3}([ .-])\d{3}\1\d{3}\1\d{3})/y;

/** Other cards than those of banks. */
const OTHER_CARDS =
  'gift|sd|memory|micro|graphics?|video|sound|sim|network|business|post|greeting|playing|score|report|key|index|flash|loyalty|library|member|membership|id|time|punch|stock|shelf|product|item|article';

/** What says that a number is that of a card. */
const CARD_NAME = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<!(?:${OTHER_CARDS})[ _-]?)(?:credit|debit|bank|payment)?[_-]?cards?|pan|visa|ccn?|(?:kredit|bank|giro)?karten?(?:nummer|nr)?|` +
    'cartes?(?: bancaire| bleue| de crédit)?|tarjetas?(?: de crédito| de débito)?|cart(?:ão|ao|ões)(?: de crédito)?|carta di credito|creditcard|kart[aęy]|(?:kort|kreditkort)(?:nummer)?|kart|карт[аыеу])' +
    '(?:[ _-]?(?:numbers?|num|no|nr|nummer|número|numéro|numero|numer|numarası|номер))?[^\\p{L}\\d\\n]{0,4}(?:(?:is|was|ist|war|lautet|est|es|é|è|to|är|er)[ :]{1,2})?["\']?$',
  'iu',
);

const OLD_DIGITS = 13;
const OLD_ISSUER = '4'.charCodeAt(0);
const MAXIMUM_NAME_LENGTH = 48;

/** The number in the first track of a magnetic stripe, up to the name. */
const TRACK = /(?<![A-Za-z0-9])B(\d{13,19})$/;
const MAXIMUM_TRACK_LENGTH = 21;

/** Longer numbers in groups of four, such as those of bank accounts, end like these. Another group of them stands before. */
const GROUP_BEFORE = /(?:\d|\b[A-Z]{2}\d{2}[ -]?[A-Z]{4})(?: - |[ \t.+-])$/;
const MAXIMUM_GROUPS_LENGTH = 12;

const JOINTS = '.-/_';

const SPACED_HYPHEN = ' - ';
const HYPHEN = '-'.charCodeAt(0);
const CARET = '^';

const FIRST_GROUP = 4;
const FEWEST_DIGITS = 14;

/** Where an issuer's numbers begin, as the first and the last of equal length, and how many digits they have. */
interface IssuerRange {
  readonly first: string;
  readonly last: string;
  readonly lengths: readonly number[];
}

const LONG = [16, 17, 18, 19];

const ISSUER_RANGES: readonly IssuerRange[] = [
  { first: '4', last: '4', lengths: [16, 19] },
  { first: '51', last: '55', lengths: [16] },
  { first: '2221', last: '2720', lengths: [16] },
  { first: '34', last: '34', lengths: [15] },
  { first: '37', last: '37', lengths: [15] },
  { first: '300', last: '305', lengths: [14, 16] },
  { first: '3095', last: '3095', lengths: [14, 16] },
  { first: '36', last: '36', lengths: [14, 16, 19] },
  { first: '38', last: '39', lengths: [14, 16, 19] },
  { first: '3528', last: '3589', lengths: LONG },
  { first: '6011', last: '6011', lengths: [16, 19] },
  { first: '644', last: '659', lengths: [16, 19] },
  { first: '62', last: '62', lengths: LONG },
  { first: '60', last: '60', lengths: [16] },
  { first: '506099', last: '506198', lengths: [16, 18, 19] },
  { first: '508', last: '508', lengths: [16] },
  { first: '81', last: '82', lengths: [16] },
  { first: '2200', last: '2204', lengths: LONG },
  { first: '9792', last: '9792', lengths: [16] },
  { first: '5018', last: '5018', lengths: LONG },
  { first: '5020', last: '5020', lengths: LONG },
  { first: '5038', last: '5038', lengths: LONG },
  { first: '5893', last: '5893', lengths: LONG },
  { first: '6304', last: '6304', lengths: LONG },
  { first: '6759', last: '6759', lengths: LONG },
  { first: '6761', last: '6763', lengths: LONG },
];

/** Finds numbers of payment cards by issuer and check digit (docs/interface/content-filters.md#credit-card). */
export const CREDIT_CARD: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    const {
      text,
      words: { digitEnds },
    } = part;
    findInTracks(part, from, found);
    return searchNumbers(part, from, (start, index) =>
      canBegin(text, start, digitEnds[index]!) ? findCard(text, start, found) : start,
    );
  },
};

/** Whether there are enough digits, or three groups with separators, which leaves out most that is no card. */
function canBegin(text: string, start: number, digitEnd: number): boolean {
  const digits = digitEnd - start;
  if (digits === OLD_DIGITS) return text.charCodeAt(start) === OLD_ISSUER;
  if (digits !== FIRST_GROUP) return digits >= FEWEST_DIGITS;
  const separator = text.charCodeAt(digitEnd + 1) === HYPHEN ? SPACED_HYPHEN.length : 1;
  const second = digitEnd + separator;
  const secondEnd = digitsEnd(text, second);
  if (secondEnd - second < FIRST_GROUP)
    return text.charCodeAt(start) === OLD_ISSUER && matchesAt(OLD_FORM, text, start);
  const third = secondEnd + separator;
  return digitsEnd(text, third) - third >= FIRST_GROUP;
}

/** Looks for the number of a card that begins here. @returns where the search goes on */
function findCard(text: string, start: number, found: MatchHandler): number {
  if (hasBegunBehindWord(text, start, JOINTS)) return start;
  for (const form of FORMS) {
    const number = matchAt(form, text, start);
    if (number === undefined || !isCardNumber(number) || goesOn(text, form.lastIndex, JOINTS)) continue;
    if (form === SHORT_FORM && followsGroup(text, start)) continue;
    found(start, start + number.length);
    return start + number.length;
  }
  const old = matchAt(OLD_FORM, text, start);
  if (old === undefined || !isOldCard(text, start, old)) return start;
  found(start, start + old.length);
  return start + old.length;
}

/** Whether a number of 13 digits is that of a card. */
function isOldCard(text: string, start: number, number: string): boolean {
  if (goesOn(text, start + number.length, JOINTS) || !isOldNumber(number)) return false;
  return CARD_NAME.test(text.slice(Math.max(0, start - MAXIMUM_NAME_LENGTH), start));
}

/** Finds the numbers in data of magnetic stripes, as in `%B4111111111111111^DOE/JANE^`. */
function findInTracks(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  for (let caret = part.indexOf(CARET, from); caret !== -1; caret = part.indexOf(CARET, caret + 1)) {
    const [, number = ''] = TRACK.exec(text.slice(Math.max(0, caret - MAXIMUM_TRACK_LENGTH), caret)) ?? [];
    if (number !== '' && (isCardNumber(number) || isOldNumber(number))) found(caret - number.length, caret);
  }
}

function followsGroup(text: string, start: number): boolean {
  return GROUP_BEFORE.test(text.slice(Math.max(0, start - MAXIMUM_GROUPS_LENGTH), start));
}

function isCardNumber(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  return isIssued(digits) && hasCheckDigit(digits);
}

function isOldNumber(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  return digits.length === OLD_DIGITS && hasCheckDigit(digits);
}

function isIssued(digits: string): boolean {
  return ISSUER_RANGES.some(({ first, last, lengths }) => {
    const prefix = digits.slice(0, first.length);
    return prefix >= first && prefix <= last && lengths.includes(digits.length);
  });
}

/** Whether the last digit is that of the Luhn algorithm (ISO/IEC 7812-1). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const weighted = index % 2 === 0 ? digit : 2 * digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
