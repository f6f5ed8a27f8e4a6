import type { Detector, MatchHandler } from '../text/detector.js';
import { matchAt, matchesAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { edgesOfWord, PAIRS, smallBeginningOf } from '../text/word-edges.js';
import { edgesOf, type Words } from '../text/words.js';
import { AsciiSet, isDigit, isLatinAlphanumeric } from '../text/character-kinds.js';
import { isCountryNumber } from './country-numbers.js';
import { searchNumbers } from './number-search.js';
import { digitsEnd, goesOn, hasBegunBehindWord } from '../text/numbers.js';

/** One separator between groups of digits, or none. */
const JOINT = '[ ./-]?';

/** One between the area and the rest, which may have spaces around it. */
const AREA_JOINT = '(?: [/-] |[ ./-])?';

/** A plus sign or two zeros, and 7 to 15 digits in groups, of which one may be in parentheses, as may the calling code. */
const INTERNATIONAL = new RegExp(
  `(?:(?:\\+|00|011[ -])[ ]?[1-9]\\d{0,3}|\\(\\+[1-9]\\d{0,3}\\))${JOINT}(?:\\(\\d{1,5}\\)${AREA_JOINT})?\\d{1,14}(?:${AREA_JOINT}\\d{1,10})?(?:${JOINT}\\d{1,10}){0,5}`,
  'y',
);

/** A national form, and the numbers that begin like it. */
interface NationalForm {
  readonly firstCharacters: string;
  /** How many digits stand together at the beginning; not for those that begin with a parenthesis. */
  readonly firstDigits: readonly number[];
  readonly expression: RegExp;
}

/** By the first digit, those of so many digits together. */
type FormsByDigits = readonly (readonly (readonly RegExp[])[])[];

/** National forms, by how they are grouped. A form has at most one way to match at a position. */
const NATIONAL: readonly NationalForm[] = [
  // North America: 212-555-0123, (212) 555-0123, 1-212-555-0123.
  {
    firstCharacters: '(123456789',
    firstDigits: [1, 3],
    expression: /(?:1[ .-])?(?:\([2-9]\d{2}\)[ \t-]?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}/y,
  },
  // With the trunk prefix 0, as in most of Europe, Asia, Africa and Oceania: 020 7946 0958, (030) 123456, 090-1234-5678.
  {
    firstCharacters: '(0',
    firstDigits: [2, 3, 4, 5, 6],
    expression: /(?:\(0\d{1,4}\) ?|0[1-9]\d{0,4}(?: [/-] |[ ./-]))\d{2,8}(?:[ .-]\d{2,6}){0,4}/y,
  },
  // Mobile numbers of the United Kingdom in one piece: 07700900123.
  { firstCharacters: '0', firstDigits: [11], expression: /07[1-9]\d{8}/y },
  // India: 98765 43210.
  { firstCharacters: '6789', firstDigits: [5], expression: /[6-9]\d{4}[ -]\d{5}/y },
  // China: 138-1234-5678.
  { firstCharacters: '1', firstDigits: [3], expression: /1[3-9]\d([ -])\d{4}\1\d{4}/y },
  // Brazil: (11) 91234-5678.
  { firstCharacters: '(', firstDigits: [], expression: /\([1-9]{2}\) ?9?\d{4}-\d{4}/y },
  // Russia: 8 (495) 123-45-67, 8-916-123-45-67.
  {
    firstCharacters: '8',
    firstDigits: [1, 4],
    expression: /8[ -]?(?:\([3-9]\d{2}\)|[3-9]\d{2})[ -]\d{3}[ -]\d{2}[ -]\d{2}/y,
  },
];

const PARENTHESIZED = NATIONAL.filter(({ firstCharacters }) => firstCharacters.includes('(')).map(
  ({ expression }) => expression,
);
const NATIONAL_BY_DIGITS = byDigits(NATIONAL);

/** Digits in any groups, which count as a number when a word says so. */
const ANNOUNCED = /\(?\d(?:[ ./()-]{0,3}\d){6,14}/y;
const ANNOUNCING =
  'phone|telephone|my number|tel|mobile|mob|cell|cellphone|call|fax|whatsapp|sms|dial|hotline|phonenumber|phone_number|phone_num|phone_no|mobilenumber|mobile_number|mobile_no|' +
  'telefon|telefonnummer|telefonnr|rufnummer|handy|handynummer|mobil|mobilnummer|mobiltelefon|t[eé]l[eé]phone|portable|gsm|' +
  'tel[eé]fono|tfno|m[oó]vil|celular|telefone|telem[oó]vel|cellulare|telefoon|mobiel|telefonu|telefón|telefonní|telefónne|mobilní|komórka|komórki|komórkę|komórkowy|komorka|telefonszám|puhelin|tlf|telepon|telp';

/** Words that are others without the mark behind them: the Polish short form of a mobile phone, and phones that are listed. */
const ANNOUNCING_WITH_MARK = 'kom(?=\\.)|cel(?=\\.)|phones(?=["\']? ?[:=])';

/** Words of other alphabets; most of them stand directly before the number. */
const ANNOUNCING_ELSEWHERE =
  '电话|手机|手機|電話|拨打|撥打|致电|致電|お問い合わせ|問い合わせ先|携帯|전화|휴대폰|핸드폰|연락처|टेलीफोन|फ़ोन|फोन|मोबाइल|телефон|тел|моб|τηλέφωνο|κινητό|هاتف|جوال|تلفون|تلفن|טלפון|נייד|โทร|điện thoại';

/** Orders and offers to call, and what only telephones have. They stand in sentences, so a space follows. */
const CALLING =
  'll[aá]m[ae](?:me|nos|le|lo|la)|ll[aá]menme|llamadme|llamar(?:me|nos|le)|(?:llam[ae]|llamar|llamando|llamen|llamad) (?:ya )?al|wasap|guasap|' +
  'lig(?:a|ue)-(?:me|nos)|me lig(?:a|ue)|(?:ligue|ligar|liga) para|' +
  'chiama(?:mi|ci|temi|teci)|chiam(?:a|are|ate|i) (?:il|al|lo)|' +
  'zadzwo[nń]|zadzwoni[cć]|dzwo[nń]|dzwoni[cć]|zavolej(?:te)?|volejte|ring (?:mig|meg|oss|til)|mobilnr|mobilnummer(?:et)?|bel (?:me|mij|ons)|beni aray?[ıi]n?|numaram|no\\.? hp|nomor saya|sđt|' +
  'звоните|позвоните|звони|позвони|набери|наберите|телефонуйте|дзвоніть|καλέστε';

/** What one's own number is called, and what may stand between that and the number. */
const OWN_NUMBER =
  '(?:mi|nuestro|meu|nosso|il mio|mio|meine|unsere|mijn|ons|mój|moj|moje|můj|mitt|mit(?= nummer er)|мой|наш|мій|mon|notre) ' +
  '(?:(?:nuevo|otro|segundo|viejo|novo|outro|nuovo|altro|neue|andere|private|alte|nieuwe|nouveau|nowy|drugi|nový|nya|nye|новый|другой|личный|новий) )?' +
  '(?:n[uú]mero|num[eé]ro|nummer|numer|číslo|номер)' +
  '(?: (?:nuevo|actual|personal|novo|nuovo|attuale|perso))?(?: (?:es|é|è|ist|is|to|je|är|er|est))?(?: (?:el|il|o|le))?:? ?';

/** Words that other things have too: they announce only numbers whose groups are those of a large country, and stand beside them. */
const CONTACT =
  'contactos?|cont[aá]ct[ae](?:me|nos)?|contactar(?:me|nos|le)?|contatos?|contatti|contatto|recapit[oi]|contacts?|kontakt|kontakty|kontaktujte|' +
  'tel[eé]fonos|m[oó]viles|celulares|telefones|telem[oó]veis|cellulari|tel[eé]f|fijo|fono|fone|centralita|atenci[oó]n al cliente|infolinia|infolinka|hotline|' +
  'reach (?:me|us|him|her|them)(?: at| on)?|hubungi|iletişim|kapcsolat';

/** Words for contacts with which amounts and numbers of orders stand too: these have no groups of two digits. */
const OFFICE =
  'l[ií]nea|recepci[oó]n|reservas?|citas?(?: previas?)?|consultas|informaci[oó]n|informes|pedidos|urgencias|emergencias|oficina|consultorio|' +
  'atendimento|informaç(?:ão|ões)|plantão|prenotazioni|informazioni|bookings|reservations|enquiries|inquiries|n[uú]mero|numer|номер';
const PAIRS_OF_DIGITS = /(?:[ .-]\d{2}){2}/;

/** Between a word that announces a number and the number. */
const MAXIMUM_DISTANCE_TO_ANNOUNCEMENT = 12;
const ANNOUNCEMENT = new RegExp(
  `(?:(?<![A-Za-z])(?:(?:${ANNOUNCING})(?![A-Za-z])|${ANNOUNCING_WITH_MARK})|${ANNOUNCING_ELSEWHERE})[^\\d\\n]{0,${MAXIMUM_DISTANCE_TO_ANNOUNCEMENT}}$`,
  'iu',
);
const CALL = new RegExp(
  `(?:(?<!\\p{L})(?:${CALLING})(?!\\p{L})[^\\d\\n]{0,${MAXIMUM_DISTANCE_TO_ANNOUNCEMENT}}|(?<!\\p{L})${OWN_NUMBER})$`,
  'iu',
);
const CONTACT_BEFORE = besideNumber(CONTACT);
const OFFICE_BEFORE = besideNumber(OFFICE);

/** How numbers without a trunk prefix are grouped in countries such as Spain, Mexico, Italy, Poland, Portugal and Norway. */
const GROUPS_OF_COUNTRIES: readonly NationalForm[] = [
  {
    firstCharacters: '123456789',
    firstDigits: [2],
    expression: /[1-9]\d(?:([ .-])(?:\d{4}[ .-]\d{4}|\d{3}\1\d{2}\1\d{2}|\d{2}\1\d{2}\1\d{2})| \d{5}[ -]\d{4})/y,
  },
  {
    firstCharacters: '23456789',
    firstDigits: [3],
    expression:
      /[2-9]\d{2}([ .-])(?:\d{2}\1\d{2}\1\d{2,3}|\d{3}\1\d{3,4}|\d{3}[ .-]\d{2}[ .-]\d{2}|\d{2}\1\d{3}|\d{6,7})/y,
  },
  { firstCharacters: '3456789', firstDigits: [4], expression: /[3-9]\d{3} \d{4}/y },
  { firstCharacters: '9', firstDigits: [1], expression: /9 \d{4} \d{4}/y },
];

const GROUPS_BY_DIGITS = byDigits(GROUPS_OF_COUNTRIES);

/** The end of a name in a program, as in `contactPhone`. */
const ANNOUNCING_NAME = /(?<!\bi)(?<=[a-z])(?:Phone|Mobile|Cell|Fax|Tel)(?:Number|No)?["' :=]{1,6}$/;

/** The rest of a calling code in parentheses. */
const CODE_END = /\d{1,4}\)/y;

/** Links that write to a number. */
const LINK = 'wa.me/';

/** How far before a number is read, in code units. */
const READ_BEFORE = 32;

/** The last two letters of these words. Letters beyond ASCII are looked at anyway. */
const IS_ANNOUNCING_END = new Uint8Array(PAIRS);
for (const word of ANNOUNCING.split('|')) IS_ANNOUNCING_END[smallBeginningOf(edgesOfWord(word.slice(-2)))] = 1;
// Of the names in programs: those of `Phone` and `Mobile` are there, and `Number` is that of `number`. Then those with a mark.
for (const end of ['no', 'om', 'es', 'el']) IS_ANNOUNCING_END[smallBeginningOf(edgesOfWord(end))] = 1;

/** A number of North America without any separators. */
const PLAIN_NUMBER = /[2-9]\d{2}[2-9]\d{6}(?!\d)/y;
const PLAIN_DIGITS = 10;

const RELATIVES =
  'mom|mum|mama|dad|papa|mother|father|wife|husband|brother|sister|daughter|grandma|grandpa|aunt|uncle|cousin|fianc[eé]e?|boyfriend|girlfriend';
const OTHER_PEOPLE =
  'partner|son|friend|neighbou?r|roommate|boss|manager|colleague|coworker|doctor|dentist|lawyer|landlord|landlady|nanny|babysitter|plumber|electrician|teacher|coach';

/** What says of a plain number that it is that of a person. */
const PERSONAL = new RegExp(
  `(?:(?<![a-z])text (?:me|us|him|her|them)(?: at| on)?|(?<![a-z])(?:(?:his|her|my|our|their|(?:${RELATIVES}|${OTHER_PEOPLE})['’]s) (?:(?:new|old|home|work|office|direct) )?(?:number|no\\.)(?: is| was|['’]s)?|(?:${RELATIVES})))[: ]{1,3}$`,
  'i',
);
const MAXIMUM_PERSONAL_LENGTH = 48;

const SPACE = ' '.charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);
const LINE_END = '\n'.charCodeAt(0);
const LAST_ASCII = 0x7f;

const JOINTS = '-./_';

/** What may stand between two digits, in any of the forms, and how much of it. */
const BETWEEN_DIGITS = new AsciiSet((character) => ' \t./()-'.includes(character));
const MAXIMUM_SEPARATORS_BETWEEN_GROUPS = 3;

const PLUS = '+'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);

const NO_FORMS: readonly RegExp[] = [];

const FEWEST_DIGITS = 7;
const MINIMUM_NATIONAL_DIGITS = 10;
const MINIMUM_TRUNK_DIGITS = 9;
const MAXIMUM_TRUNK_DIGITS = 12;

/** A day, a month and a year: what the digits of dates are grouped like. */
const DATE = /^\(?(?:0?[1-9]|[12]\d|3[01])[ ./-](?:0?[1-9]|[12]\d|3[01])[ ./-](?:19|20)\d{2}/;

const ISO_DATE = /(?:19|20)\d{2}-[01]\d-[0-3]\d(?![\d-])/y;

/** Finds telephone numbers (docs/interface/content-filters.md#phone). */
export const PHONE: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    const { text, words } = part;
    return searchNumbers(part, from, (digit, index) =>
      canBegin(words, index) && hasEnoughDigits(text, digit, words.digitEnds[index]!)
        ? findPhone(text, digit, found)
        : digit,
    );
  },
};

/** A first look for {@link hasEnoughDigits}: by where the digits are alone, whatever stands between them. */
function canBegin({ numbers, digitEnds }: Words, first: number): boolean {
  let digits = digitEnds[first]! - numbers[first]!;
  for (let index = first + 1; digits < FEWEST_DIGITS; index += 1) {
    // What follows belongs to another part.
    if (index === numbers.length) return true;
    if (numbers[index]! - digitEnds[index - 1]! > MAXIMUM_SEPARATORS_BETWEEN_GROUPS) return false;
    digits += digitEnds[index]! - numbers[index]!;
  }
  return true;
}

/** Looks for a telephone number whose first digit stands here. @returns where the search goes on */
function findPhone(text: string, digit: number, found: MatchHandler): number {
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
 * Whether as many digits follow as a number has at least, with no more than three characters between any of them. Most numbers are
 * left out by this, which is much cheaper than the expressions.
 */
function hasEnoughDigits(text: string, start: number, digitEnd: number): boolean {
  let digits = digitEnd - start;
  let between = 0;
  for (let position = digitEnd; digits < FEWEST_DIGITS; position += 1) {
    const code = text.charCodeAt(position);
    if (isDigit(code)) {
      digits += 1;
      between = 0;
    } else {
      between += 1;
      if (between > MAXIMUM_SEPARATORS_BETWEEN_GROUPS || !BETWEEN_DIGITS.has(code)) return false;
    }
  }
  return true;
}

/** A plus sign or a parenthesis before the first digit belongs to the number. */
function startBefore(text: string, digit: number): number {
  let start = digit;
  if (text.charAt(start - 1) === '(') start -= 1;
  if (text.charAt(start - 1) === '+') start -= 1;
  // Only around the calling code: `(+34) 655` is one number, but `(+34 655)` is one in parentheses.
  if (text.startsWith('(+', digit - 2) && matchesAt(CODE_END, text, digit)) start -= 1;
  return isLatinAlphanumeric(text.charCodeAt(start - 1)) && start < digit ? digit : start;
}

/** @returns the end of the telephone number at a position; -1 if there is none */
function endOf(text: string, start: number): number {
  if (text.startsWith(LINK, start - LINK.length)) return longestEnd(ANNOUNCED, text, start, isLongEnough);
  if (hasBegunBehindWord(text, start, JOINTS)) return -1;
  const first = text.charCodeAt(start);
  if (first === PLUS || text.startsWith('(+', start)) return internationalEnd(text, start);
  if (first === ZERO && (text.charCodeAt(start + 1) === ZERO || text.startsWith('011', start))) {
    const end = internationalEnd(text, start);
    if (end !== -1) return isBankAccount(text, start) ? -1 : end;
  }
  for (const form of nationalForms(text, start)) {
    const end = longestEnd(form, text, start, isNational);
    if (end !== -1) return isBankAccount(text, start) || isEndOfLargeNumber(text, start, end) ? -1 : end;
  }
  if (isIsoDate(text, start)) return -1;
  if (isAnnounced(text, start) || isCalled(text, start)) return longestEnd(ANNOUNCED, text, start, isLongEnough);
  const contact = contactEnd(text, start);
  if (contact !== -1) return contact;
  return isPersonal(text, start) ? start + PLAIN_DIGITS : -1;
}

/** Whether groups of three digits are those of a number in thousands, which begins before them. */
function isEndOfLargeNumber(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== ZERO || !/^\d{3}(?: \d{3})+$/.test(text.slice(start, end))) return false;
  return /(?<![\d.,/-])[1-9]\d{0,2} $/.test(text.slice(Math.max(0, start - 6), start));
}

/** Whether the groups are those of an international bank account number, which begins before them. */
function isBankAccount(text: string, start: number): boolean {
  return /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){1,6} $/.test(text.slice(Math.max(0, start - READ_BEFORE), start));
}

/** The national forms that a number at a position can have, by how many digits it begins with. */
function nationalForms(text: string, start: number): readonly RegExp[] {
  return isDigit(text.charCodeAt(start)) ? formsAt(NATIONAL_BY_DIGITS, text, start) : PARENTHESIZED;
}

function formsAt(forms: FormsByDigits, text: string, start: number): readonly RegExp[] {
  const digits = digitsEnd(text, start) - start;
  const ofFirst = forms[text.charCodeAt(start) - ZERO]!;
  // Reading beyond the end of the list would be slow.
  return digits < ofFirst.length ? ofFirst[digits]! : NO_FORMS;
}

function byDigits(forms: readonly NationalForm[]): FormsByDigits {
  const most = Math.max(...forms.flatMap(({ firstDigits }) => firstDigits));
  return Array.from('0123456789', (first) =>
    Array.from({ length: most + 1 }, (_, digits) =>
      forms
        .filter(({ firstCharacters, firstDigits }) => firstCharacters.includes(first) && firstDigits.includes(digits))
        .map(({ expression }) => expression),
    ),
  );
}

function internationalEnd(text: string, start: number): number {
  return longestEnd(INTERNATIONAL, text, start, isInternational);
}

/**
 * The end of the longest beginning of a match that is a number: its groups may go on with what is another number.
 *
 * @returns -1 if there is none
 */
function longestEnd(form: RegExp, text: string, start: number, isNumber: (number: string) => boolean): number {
  let number = matchAt(form, text, start) ?? '';
  for (; number !== ''; number = beginning(number)) {
    const end = start + number.length;
    if ((!goesOn(text, end, JOINTS) || isExtension(text, end)) && isNumber(number)) return end;
  }
  return -1;
}

/** Whether an extension follows, as in `555-0123x45`. */
function isExtension(text: string, end: number): boolean {
  return /^x\d{1,5}(?!\w)/i.test(text.slice(end, end + 8));
}

/** A number without its last group. */
function beginning(number: string): string {
  return number.replace(/\D*\d+\D*$/, '');
}

function isInternational(number: string): boolean {
  // The trunk prefix is left out behind the calling code.
  const digits = number.replace('(0)', '').replace(/\D/g, '');
  if (number.startsWith('+') || number.startsWith('(+')) return isCountryNumber(digits);
  if (number.startsWith('011')) return isCountryNumber(digits.slice(3));
  // Two zeros at the beginning of a plain number are more likely those of an identifier.
  return digits.length < number.length && isCountryNumber(digits.slice(2));
}

function isNational(number: string): boolean {
  if (DATE.test(number)) return false;
  const digits = number.replace(/\D/g, '');
  if (!digits.startsWith('0')) return digits.length >= MINIMUM_NATIONAL_DIGITS;
  return digits.length >= MINIMUM_TRUNK_DIGITS && digits.length <= MAXIMUM_TRUNK_DIGITS;
}

function isLongEnough(number: string): boolean {
  return number.replace(/\D/g, '').length >= FEWEST_DIGITS && !DATE.test(number);
}

/** Whether a year, a month and a day are there, of which logs are full. */
function isIsoDate(text: string, start: number): boolean {
  if (text.charCodeAt(start + 4) !== HYPHEN || text.charCodeAt(start + 7) !== HYPHEN) return false;
  return matchesAt(ISO_DATE, text, start);
}

/** Whether what announces a number can end in front of it, which leaves out nearly all without the expression. */
function canBeAnnounced(text: string, start: number): boolean {
  for (let position = start - 1; position >= start - 1 - MAXIMUM_DISTANCE_TO_ANNOUNCEMENT; position -= 1) {
    const code = text.charCodeAt(position);
    if (code > LAST_ASCII) return true;
    if (Number.isNaN(code) || code === LINE_END || isDigit(code)) return false;
    const edges = edgesOf(text.charCodeAt(position - 1), code, code);
    if (IS_ANNOUNCING_END[smallBeginningOf(edges)] === 1) return true;
  }
  return false;
}

function isAnnounced(text: string, start: number): boolean {
  // Most numbers that come here follow another one, which nothing announces twice.
  if (isDigit(text.charCodeAt(start - 2)) || !canBeAnnounced(text, start)) return false;
  const before = text.slice(Math.max(0, start - READ_BEFORE), start);
  return ANNOUNCEMENT.test(before) || ANNOUNCING_NAME.test(before);
}

/** Whether a sentence says in front of a number to call it, or that it is one's own. */
function isCalled(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) !== SPACE || isDigit(text.charCodeAt(start - 2))) return false;
  return CALL.test(text.slice(Math.max(0, start - MAXIMUM_PERSONAL_LENGTH), start));
}

/** One of some words directly in front of a number, with a remark in parentheses or a preposition between them or not. */
function besideNumber(words: string): RegExp {
  return new RegExp(
    `(?<!\\p{L})(?:${words})(?!\\p{L})(?:\\.?:|[.,])?(?: ?\\([^()\\d\\n]{1,12}\\))?:?(?: (?:al|en el|es(?: el)?|é|è|o|no|pelo|is|at|on|to|pod|po|il))?[ \\t]{0,3}\\(?$`,
    'iu',
  );
}

/** The end of a number in the groups of a large country, behind a word that announces it; -1 if there is none. */
function contactEnd(text: string, start: number): number {
  if (!isDigit(text.charCodeAt(start))) return -1;
  for (const form of formsAt(GROUPS_BY_DIGITS, text, start)) {
    const number = matchAt(form, text, start);
    if (number === undefined || DATE.test(number) || goesOn(text, start + number.length, JOINTS)) continue;
    const before = text.slice(Math.max(0, start - MAXIMUM_PERSONAL_LENGTH), start);
    if (CONTACT_BEFORE.test(before) || (PAIRS_OF_DIGITS.test(number) && OFFICE_BEFORE.test(before)))
      return start + number.length;
  }
  return -1;
}

/** Whether a plain number of North America is that of a person, as in `mom's number is`. */
function isPersonal(text: string, start: number): boolean {
  if (!matchesAt(PLAIN_NUMBER, text, start) || goesOn(text, start + PLAIN_DIGITS, JOINTS)) return false;
  return PERSONAL.test(text.slice(Math.max(0, start - MAXIMUM_PERSONAL_LENGTH), start));
}
