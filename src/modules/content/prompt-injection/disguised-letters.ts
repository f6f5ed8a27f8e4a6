import { endianness } from 'node:os';
import type { MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { type AsciiWords, readAsciiWords } from './ascii-words.js';
import { findPhrasesIn } from './injection-phrases.js';
import { isChanged, isTag, plainCode, plainForm } from './plain-letters.js';

/** How far in front of its first changed character a phrase may begin, in code units. */
const REACH_BEFORE = 160;

/** How far beyond a part a phrase is followed, in code units: as much as one with two dozen characters behind each letter takes. */
const REACH_BEHIND = 1_024;

const LAST_ASCII = 0x7f;
const LAST_OF_ONE_UNIT = 0xffff;

/** What the first and the second half of a surrogate pair have in common. */
const FIRST_SURROGATE = 0xd800;
const SURROGATE_MASK = 0xf800;

const IS_BIG_ENDIAN = endianness() === 'BE';

const SPACE = ' '.charCodeAt(0);

/** How Unicode tags are read that touch what is seen: as letters of the same word, as a text beside it, or not at all. */
type TagReading = 'joined' | 'apart' | 'left out';

/** A stretch of a text in plain letters. */
interface PlainText {
  readonly text: string;
  readonly words: AsciiWords;
  /** Where each of its characters stands in the original. */
  readonly starts: Int32Array;
  /** Where the changed characters stand in the original, those that were left out included. */
  readonly changes: Int32Array;
  readonly hasTags: boolean;
}

/**
 * Finds phrases of prompt injections with letters that look like others, or with characters between them that are not seen. A phrase
 * belongs to the part in which its first such character stands. Those without one are found as they stand.
 */
export function findDisguisedPhrases(part: TextPart, from: number, found: MatchHandler): void {
  const { text, to, words } = part;
  if (words.isAsciiThroughout || !hasChange(words.codes, from - part.from, to - part.from)) return;
  const read = (tags: TagReading): PlainText =>
    inPlainLetters(text, Math.max(0, from - REACH_BEFORE), Math.min(to + REACH_BEHIND, text.length), tags);
  const joined = read('joined');
  findPlainPhrases(text, from, to, joined, found);
  if (!joined.hasTags) return;
  // A model reads what nobody sees, beside which anything may stand, and what one sees, wherever tags are in it.
  findPlainPhrases(text, from, to, read('apart'), found);
  findPlainPhrases(text, from, to, read('left out'), found);
}

/** Finds the phrases whose first changed character stands between two positions. */
function findPlainPhrases(text: string, from: number, to: number, plain: PlainText, found: MatchHandler): void {
  const { starts, changes } = plain;
  let next = 0;
  let previous = 0;
  const find: MatchHandler = (phraseStart, phraseEnd, name) => {
    const start = starts[phraseStart]!;
    const last = starts[phraseEnd - 1]!;
    // Joined words come behind all others.
    if (phraseStart < previous) next = 0;
    previous = phraseStart;
    while (next < changes.length && changes[next]! < start) next += 1;
    const change = changes[next];
    if (change === undefined || change > last || change < from || change >= to) return;
    found(start, last + unitsOf(text.codePointAt(last)!), name);
  };
  findPhrasesIn(plain.text, find, plain.words);
}

/** Whether there may be a character that plain letters change, which most texts of other alphabets lack. */
function hasChange(codes: Uint16Array, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    const code = codes[index]!;
    // Half a pair tells nothing about the character.
    if (isChanged(plainForm(code)) || (code & SURROGATE_MASK) === FIRST_SURROGATE) return true;
  }
  return false;
}

/** Writes a stretch of a text in ASCII alone, in which phrases are found faster than in the original. */
function inPlainLetters(text: string, from: number, to: number, tags: TagReading): PlainText {
  // Numbers in a list are read in half the time that characters of a text take.
  const units = new Uint16Array(to - from);
  Buffer.from(units.buffer).write(text.slice(from, to), 'utf16le');
  if (IS_BIG_ENDIAN) Buffer.from(units.buffer).swap16();
  // There may be a space in front of each character.
  const most = tags === 'apart' ? 2 * units.length : units.length;
  const codes = Buffer.allocUnsafe(most + 1);
  const starts = new Int32Array(most);
  const changes = new Int32Array(units.length);
  let length = 0;
  let changeCount = 0;
  let hasTags = false;
  let isInTags = false;
  for (let index = 0; index < units.length; index += 1) {
    const position = from + index;
    let code = units[index]!;
    let isTagged = false;
    if (code > LAST_ASCII || code === 0) {
      let codePoint = code;
      if ((code & SURROGATE_MASK) === FIRST_SURROGATE) {
        codePoint = text.codePointAt(position)!;
        if (codePoint > LAST_OF_ONE_UNIT) index += 1;
      }
      const form = plainForm(codePoint);
      if (isChanged(form)) changes[changeCount++] = position;
      code = plainCode(form);
      isTagged = isTag(codePoint);
      hasTags ||= isTagged;
      if (code === 0 || (isTagged && tags === 'left out')) continue;
    }
    if (isTagged !== isInTags) {
      isInTags = isTagged;
      if (tags === 'apart') {
        codes[length] = SPACE;
        starts[length] = position;
        length += 1;
      }
    }
    codes[length] = code;
    starts[length] = position;
    length += 1;
  }
  codes[length] = 0;
  const words = readAsciiWords(codes, 0, length);
  return {
    text: codes.toString('latin1', 0, length),
    words,
    starts,
    changes: changes.subarray(0, changeCount),
    hasTags,
  };
}

/** How many code units a character takes. */
function unitsOf(codePoint: number): number {
  return codePoint > LAST_OF_ONE_UNIT ? 2 : 1;
}
