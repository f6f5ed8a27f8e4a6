import type { Detector, MatchHandler } from '../text/detector.js';
import { matchesAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { AsciiSet } from '../text/character-kinds.js';
import { searchNumbers } from './number-search.js';
import { digitsEnd, goesOn, hasBegunBehindWord } from '../text/numbers.js';

/** Area, group and serial number, with hyphens, other separators, or none. */
const SEPARATOR = ' - |[- ._/]?';
const NUMBER = new RegExp(`(\\d{3})(${SEPARATOR})(\\d{2})(${SEPARATOR})(\\d{4})`, 'y');

const AREA_DIGITS = 3;
const GROUP_DIGITS = 2;
const ALL_DIGITS = 9;

const HYPHEN = '-';

/** What may stand between the groups. */
const SEPARATORS = new AsciiSet((character) => '- ._/'.includes(character));

/** What has to stand before a number that is not written with hyphens; a remark in parentheses may have digits, as `(9 digits)`. */
const ANNOUNCEMENT =
  /(?:(?<![a-z])(?:ss[n#]|s\.s\.n|ss (?:no|num)|soc\.? sec)|social[ _-]{0,2}security|\bsocial\b|社会保障|社会安全)[^\d\n]{0,30}(?:\([^()\n]{0,24}\)[^\d\n]{0,8})?(?:\n[^\d\n]{0,8})?$/i;

/** What says it in messages: qualifiers of X12, and in FHIR the name of the system, with the value on the next line. */
const ANNOUNCEMENT_OF_MESSAGE =
  /(?<![A-Z0-9])(?:REF([*|^])SY\1|NM1(?:\*[^*~\n]{0,60}){7}\*34\*)$|us-ssn["'],?\s{1,40}["']?value["']?\s?:\s?["']$/;

/** The last character of that. */
const MESSAGE_MARKS = new AsciiSet((character) => '*|^"\''.includes(character));

/** What says it behind the number, in identifiers of HL7. */
const TYPE_OF_MESSAGE = /\^\^\^[^|^~\n]{0,40}\^SS(?![A-Za-z])/y;

/** A number, and what stands between it and the next one. */
const NUMBER_BEFORE = new RegExp(`(\\d{3})(${SEPARATOR})(\\d{2})(${SEPARATOR})(\\d{4})([^\\d\\n]{1,40})$`);

/** Who else may have a number. */
const PEOPLE =
  'spouse|husband|wife|partner|son|daughter|child|dependent|mother|father|mom|dad|brother|sister|parent|guardian|taxpayer|applicant|co-?applicant|borrower|co-?borrower|employee|patient|beneficiary|mine|his|hers|theirs|yours';

/** What leads from one number to the next in a sentence, as in `(spouse: `; a name may stand in parentheses behind the first. */
const CONJUNCTION = new RegExp(
  `^(?:[ ,;:/&()"'–-]|(?<![a-z])(?:and|or|then|also|is|was|for|of|the|my|his|her|their|our|first|second|primary|secondary|joint|other|old|new|previous|(?:${PEOPLE})(?:['’]?s)?)(?![a-z])){1,20}$`,
  'i',
);
const NAME_BEHIND = /^ ?\([A-Z][a-z]{1,15}(?: [A-Z][a-z]{1,15})?\)(?= ?[,;/&]| and )/;

/** How many numbers before one are looked at for what announces all of them. */
const MAXIMUM_NUMBERS_BEFORE = 3;

/** The abbreviation at the end of a name, as in `patientSsn`. */
const END_OF_NAME = /[a-z](?:SSN|Ssn)[^\dA-Za-z\n]{0,8}$/;

/** How far before a number is read, in code units. */
const READ_BEFORE = 72;

const READ_BEFORE_IN_MESSAGE = 256;

/** Numbers that were published in advertisements, and are not assigned any more. */
const VOID_NUMBERS = new Set(['078051120', '219099999', '457555462']);

/** Finds social security numbers of the United States (docs/interface/content-filters.md#ssn). */
export const SOCIAL_SECURITY_NUMBER: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    const {
      text,
      words: { digitEnds },
    } = part;
    return searchNumbers(part, from, (start, index) =>
      canBegin(text, start, digitEnds[index]!) ? findNumber(text, start, found) : start,
    );
  },
};

/** Whether all digits are there, or the first two groups between two separators, which leaves out most other numbers. */
function canBegin(text: string, start: number, digitEnd: number): boolean {
  const digits = digitEnd - start;
  if (digits !== AREA_DIGITS) return digits === ALL_DIGITS;
  const group = digitEnd + (text.startsWith(' - ', digitEnd) ? 3 : 1);
  const serial = group + GROUP_DIGITS;
  return (
    digitsEnd(text, group) === serial &&
    SEPARATORS.has(text.charCodeAt(digitEnd)) &&
    SEPARATORS.has(text.charCodeAt(serial))
  );
}

/** Looks for a number that begins here. @returns where the search goes on */
function findNumber(text: string, start: number, found: MatchHandler): number {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (match === null) return start;
  const [whole, area = '', separator = '', group = '', second = '', serial = ''] = match;
  const end = start + whole.length;
  const joints = '-.';
  if (hasBegunBehindWord(text, start, joints) || goesOn(text, end, joints) || !isAssigned(area, group, serial))
    return start;
  const isPlain = !(separator === HYPHEN && second === HYPHEN);
  if (
    isPlain &&
    !isAnnounced(text, start) &&
    !isNext(text, start, separator + second) &&
    !matchesAt(TYPE_OF_MESSAGE, text, end)
  )
    return start;
  found(start, end);
  return end;
}

function isAssigned(area: string, group: string, serial: string): boolean {
  const isValidArea = area !== '000' && area !== '666' && !area.startsWith('9');
  return isValidArea && group !== '00' && serial !== '0000' && !VOID_NUMBERS.has(area + group + serial);
}

function isAnnounced(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - READ_BEFORE), start);
  return isWordBefore(before) || isOfMessage(text, start);
}

function isWordBefore(before: string): boolean {
  return ANNOUNCEMENT.test(before) || END_OF_NAME.test(before);
}

function isOfMessage(text: string, start: number): boolean {
  if (!MESSAGE_MARKS.has(text.charCodeAt(start - 1))) return false;
  return ANNOUNCEMENT_OF_MESSAGE.test(text.slice(Math.max(0, start - READ_BEFORE_IN_MESSAGE), start));
}

/** Whether a number is another one of those that a word announces in the same line, and is written like them. */
function isNext(text: string, start: number, separators: string): boolean {
  let position = start;
  for (let count = 0; count < MAXIMUM_NUMBERS_BEFORE; count += 1) {
    const [whole = '', area = '', first = '', group = '', second = '', serial = '', between = ''] =
      NUMBER_BEFORE.exec(lineBefore(text, position)) ?? [];
    if (whole === '' || first + second !== separators || !isAssigned(area, group, serial)) return false;
    // Numbers with nothing but a comma between them are those of a table.
    if (!/[ /]/.test(between) || !CONJUNCTION.test(between.replace(NAME_BEHIND, ' '))) return false;
    position -= whole.length;
    if (isWordBefore(lineBefore(text, position))) return true;
  }
  return false;
}

/** The end of the line up to a position. */
function lineBefore(text: string, position: number): string {
  const before = text.slice(Math.max(0, position - READ_BEFORE), position);
  return before.slice(before.lastIndexOf('\n') + 1);
}
