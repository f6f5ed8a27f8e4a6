import { isIPv6 } from 'node:net';
import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { AsciiSet, isAlphanumeric, isDigit } from './character-kinds.js';
import { digitsEnd, goesOn, hasBegun } from './numbers.js';

/** The longest text of an address: of version 6 with one of version 4 at its end. */
const LONGEST_ADDRESS = 45;

/** `::1`. */
const SHORTEST_ADDRESS = 3;

/** Seven between eight groups; two of them together may be at one end. */
const MOST_COLONS = 8;

/** Fewer digits are more likely part of a program than an address; `::1` is the exception. */
const FEWEST_DIGITS = 5;

/** Words after which numbers with dots are something else. */
const OTHER_NUMBERING = /(?:\bv|\bver|\bversion|\brelease|\bbuild|\bsection|\bclause|\bparagraph|§)\.?[ :]{0,3}$/i;
const LONGEST_WORD = 16;

/** The characters of addresses. */
const IN_ADDRESS = new AsciiSet((character) => /[0-9A-Fa-f:.]/.test(character));

/** Finds addresses of the internet protocol, versions 4 and 6 (docs/interface/content-filters.md#ip-address). */
export const IP_ADDRESS: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    detectVersion6(part, from, found);
    return detectVersion4(part, from, found);
  },
};

function detectVersion4(part: TextPart, from: number, found: MatchHandler): number {
  let position = from;
  for (const start of part.words.numbers) {
    if (start >= position) position = findVersion4(part.text, start, found);
  }
  return Math.max(position, part.to);
}

/** Looks for an address that begins here. @returns where the search goes on */
function findVersion4(text: string, start: number, found: MatchHandler): number {
  if (text.charAt(digitsEnd(text, start)) !== '.') return start;
  const end = version4End(text, start);
  if (end === -1 || hasBegun(text, start, '.-_') || isVersion6End(text, start) || goesOn(text, end, '.-_'))
    return start;
  if (OTHER_NUMBERING.test(text.slice(Math.max(0, start - LONGEST_WORD), start))) return start;
  found(start, end);
  return end;
}

/** Whether an address of version 4 is the end of one of version 6, as in `::ffff:192.0.2.1`. */
function isVersion6End(text: string, start: number): boolean {
  return /:[0-9A-Fa-f]{0,4}:$/.test(text.slice(Math.max(0, start - 6), start));
}

/** @returns the end of four numbers from 0 to 255 with dots between them; -1 if they are not there */
function version4End(text: string, start: number): number {
  let position = start;
  for (let part = 1; part <= 4; part += 1) {
    const end = digitsEnd(text, position);
    const length = end - position;
    const hasLeadingZero = length > 1 && text.charAt(position) === '0';
    if (length < 1 || length > 3 || hasLeadingZero || Number(text.slice(position, end)) > 255) return -1;
    if (part === 4) return end;
    if (text.charAt(end) !== '.') return -1;
    position = end + 1;
  }
  return -1;
}

function detectVersion6(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  let first = from - LONGEST_ADDRESS;
  for (let colon = part.indexOf(':', from); colon !== -1;) {
    const { start, end, next } = addressAround(text, colon, first);
    if (isVersion6(text, start, end)) found(start, end);
    first = next;
    colon = part.indexOf(':', next);
  }
}

/** What may be an address around a colon. */
interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Where further ones may be. */
  readonly next: number;
}

/** @param first where the candidate before it ends, for each character belongs to one */
function addressAround(text: string, colon: number, first: number): Candidate {
  let start = colon;
  while (start > first && colon - start < LONGEST_ADDRESS && IN_ADDRESS.has(text.charCodeAt(start - 1))) start -= 1;
  let end = colon + 1;
  while (end - start <= LONGEST_ADDRESS && IN_ADDRESS.has(text.charCodeAt(end))) end += 1;
  const next = end;
  // A full stop or a colon behind an address belongs to the sentence, but two colons to the address.
  while (
    end > colon &&
    (text.charAt(end - 1) === '.' || (text.charAt(end - 1) === ':' && text.charAt(end - 2) !== ':'))
  ) {
    end -= 1;
  }
  return { start, end, next };
}

function isVersion6(text: string, start: number, end: number): boolean {
  if (
    end - start < SHORTEST_ADDRESS ||
    isAlphanumeric(text.charCodeAt(start - 1)) ||
    isAlphanumeric(text.charCodeAt(end))
  )
    return false;
  const address = text.slice(start, end);
  // Much cheaper than the full check, and leaves out nearly all that is not an address.
  const colons = colonsIn(address);
  if (colons < 2 || colons > MOST_COLONS || !isIPv6(address) || isSlice(text, start)) return false;
  const digits = address.replace(/[:.]/g, '');
  return (
    address === '::1' ||
    (digits.length >= FEWEST_DIGITS && Array.from(digits).some((digit) => isDigit(digit.charCodeAt(0))))
  );
}

function colonsIn(address: string): number {
  let colons = 0;
  for (let at = address.indexOf(':'); at !== -1; at = address.indexOf(':', at + 1)) colons += 1;
  return colons;
}

/** Whether an expression in brackets follows a name: it is a slice of that, as in `list[1::2]`. */
function isSlice(text: string, start: number): boolean {
  return text.charAt(start - 1) === '[' && /[\w\])]/.test(text.charAt(start - 2));
}
