import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { AsciiSet } from './character-kinds.js';
import { searchNumbers } from './number-search.js';
import { digitsEnd, goesOn, hasBegunBehindWord } from './numbers.js';

/** Area, group and serial number, with hyphens, other separators, or none. */
const NUMBER = /(\d{3})( - |[- ._/]?)(\d{2})( - |[- ._/]?)(\d{4})/y;

const AREA_DIGITS = 3;
const GROUP_DIGITS = 2;
const ALL_DIGITS = 9;

const HYPHEN = '-';

/** What may stand between the groups. */
const SEPARATORS = new AsciiSet((character) => '- ._/'.includes(character));

/** What has to stand before a number that is not written with hyphens; a remark in parentheses may have digits, as `(9 digits)`. */
const ANNOUNCEMENT =
  /(?:(?<![a-z])(?:ss[n#]|s\.s\.n|ss (?:no|num)|soc\.? sec)|social[ _-]{0,2}security|\bsocial\b|社会保障|社会安全)[^\d\n]{0,30}(?:\([^()\n]{0,24}\)[^\d\n]{0,8})?(?:\n[^\d\n]{0,8})?$/i;

/** The same at the end of a name, as in `patientSsn`. */
const END_OF_NAME = /[a-z](?:SSN|Ssn)[^\dA-Za-z\n]{0,8}$/;

/** How far before a number is read, in code units. */
const READ_BEFORE = 72;

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
  if (!(separator === HYPHEN && second === HYPHEN) && !isAnnounced(text, start)) return start;
  found(start, end);
  return end;
}

function isAssigned(area: string, group: string, serial: string): boolean {
  const isValidArea = area !== '000' && area !== '666' && !area.startsWith('9');
  return isValidArea && group !== '00' && serial !== '0000' && !VOID_NUMBERS.has(area + group + serial);
}

function isAnnounced(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - READ_BEFORE), start);
  return ANNOUNCEMENT.test(before) || END_OF_NAME.test(before);
}
