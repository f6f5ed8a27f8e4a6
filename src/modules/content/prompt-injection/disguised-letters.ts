import type { MatchHandler } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { findInjectionPhrases } from './injection-phrases.js';
import { isChanged, plainCode, plainForm } from './plain-letters.js';

/** How far in front of its first changed character a phrase may begin, in code units. */
const REACH_BEFORE = 160;

/** How far beyond a part a phrase is followed, in code units: as much as one with two dozen characters behind each letter takes. */
const REACH_BEHIND = 1_024;

const LAST_OF_ONE_UNIT = 0xffff;

/** A stretch of a text in plain letters. */
interface PlainText {
  readonly text: string;
  /** Where each of its characters stands in the original. */
  readonly starts: Int32Array;
  /** Where the changed characters stand in the original, those that were left out included. */
  readonly changes: readonly number[];
}

/**
 * Finds phrases of prompt injections with letters that look like others, or with characters between them that are not seen. A phrase
 * belongs to the part in which its first such character stands. Those without one are found as they stand.
 */
export function findDisguisedPhrases(part: TextPart, from: number, found: MatchHandler): void {
  const { text, to, words } = part;
  if (words.isAsciiThroughout || !hasChange(text, from, to)) return;
  const plain = inPlainLetters(text, Math.max(0, from - REACH_BEFORE), Math.min(to + REACH_BEHIND, text.length));
  const { starts, changes } = plain;
  let next = 0;
  findInjectionPhrases(new TextPart(plain.text, 0, plain.text.length), 0, (phraseStart, phraseEnd, name) => {
    const start = starts[phraseStart]!;
    const last = starts[phraseEnd - 1]!;
    while (next < changes.length && changes[next]! < start) next += 1;
    const change = changes[next];
    if (change === undefined || change > last || change < from || change >= to) return;
    found(start, last + unitsOf(text.codePointAt(last)!), name);
  });
}

/** Whether there is a character that plain letters change, which most texts of other alphabets lack. */
function hasChange(text: string, from: number, to: number): boolean {
  for (let position = from; position < to;) {
    const codePoint = text.codePointAt(position)!;
    if (isChanged(plainForm(codePoint))) return true;
    position += unitsOf(codePoint);
  }
  return false;
}

/** Writes a stretch of a text in ASCII alone, in which phrases are found faster than in the original. */
function inPlainLetters(text: string, from: number, to: number): PlainText {
  const codes = Buffer.allocUnsafe(to - from);
  const starts = new Int32Array(to - from);
  const changes: number[] = [];
  let length = 0;
  for (let position = from; position < to;) {
    const codePoint = text.codePointAt(position)!;
    const form = plainForm(codePoint);
    if (isChanged(form)) changes.push(position);
    const code = plainCode(form);
    if (code !== 0) {
      codes[length] = code;
      starts[length] = position;
      length += 1;
    }
    position += unitsOf(codePoint);
  }
  return { text: codes.toString('latin1', 0, length), starts, changes };
}

/** How many code units a character takes. */
function unitsOf(codePoint: number): number {
  return codePoint > LAST_OF_ONE_UNIT ? 2 : 1;
}
