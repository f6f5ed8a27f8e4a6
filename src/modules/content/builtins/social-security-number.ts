import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { searchNumbers } from './number-search.js';
import { digitsEnd, goesOn, hasBegun } from './numbers.js';

/** Area, group and serial number, with hyphens, other separators, or none. */
const NUMBER = /(\d{3})([-\u2010-\u2013 \u00a0.]?)(\d{2})\2(\d{4})/y;

const AREA_DIGITS = 3;
const GROUP_DIGITS = 2;
const ALL_DIGITS = 9;

const HYPHENS = /^[-\u2010-\u2013]$/;

/** What has to stand before a number that is not written with hyphens. */
const ANNOUNCEMENT = /(?:\bss[n#]|\bsocial[ -]security|\bsocial\b)[^\d\n]{0,30}$/i;
const MAXIMUM_ANNOUNCEMENT_LENGTH = 56;

/** Numbers that were published in advertisements, and are not assigned any more. */
const VOID_NUMBERS = new Set(['078051120', '219099999', '457555462', '123456789']);

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
  const serial = digitEnd + 1 + GROUP_DIGITS;
  return digitsEnd(text, digitEnd + 1) === serial && text.charCodeAt(digitEnd) === text.charCodeAt(serial);
}

/** Looks for a number that begins here. @returns where the search goes on */
function findNumber(text: string, start: number, found: MatchHandler): number {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (match === null) return start;
  const [whole, area = '', separator = '', group = '', serial = ''] = match;
  const end = start + whole.length;
  const joints = '-.\u2010\u2011\u2012\u2013';
  if (hasBegun(text, start, joints) || goesOn(text, end, joints) || !isAssigned(area, group, serial)) return start;
  if (!HYPHENS.test(separator) && !isAnnounced(text, start)) return start;
  found(start, end);
  return end;
}

function isAssigned(area: string, group: string, serial: string): boolean {
  const isValidArea = area !== '000' && area !== '666' && !area.startsWith('9');
  return isValidArea && group !== '00' && serial !== '0000' && !VOID_NUMBERS.has(area + group + serial);
}

function isAnnounced(text: string, start: number): boolean {
  return ANNOUNCEMENT.test(text.slice(Math.max(0, start - MAXIMUM_ANNOUNCEMENT_LENGTH), start));
}
