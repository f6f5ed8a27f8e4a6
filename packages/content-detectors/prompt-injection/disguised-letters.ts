import type { MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findPhrasesIn } from './phrase-search.js';

/** How far in front of its first changed character a phrase may begin, in code units. */
const REACH_BEFORE = 160;

/** How far beyond a part a phrase is followed, in code units: as much as one with two dozen characters behind each letter takes. */
const REACH_BEHIND = 1_024;

const NOT_ASCII = /[\u{80}-\u{10ffff}]/gu;

/** Unicode tags, which repeat ASCII and are not seen, and how far they are from it. */
const TAG = /[\u{e0020}-\u{e007e}]/u;
const TAGS = 0xe0000;

/** What is not seen by itself: soft hyphens, joiners, marks of direction, variation selectors, accents. */
const NOT_SEEN = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}]/u;

/** Stands for characters without a plain one: the last of ASCII, which belongs to no word and to no phrase. */
const NO_PLAIN_CHARACTER = '\x7f';

/** Characters beside the Latin letters that they look like, in the same order. Those that Unicode takes apart are left out. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic.
    ['аеорсухіјѕкмтнвһԁԛԝӏѵ', 'aeopcyxijskmthbhdqwlv'],
    ['АЕОРСУХІЈЅКМТНВԚԜӀ', 'AEOPCYXIJSKMTHBQWI'],
    // Greek.
    ['αονιρτυκε', 'aoviptuke'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    // Armenian.
    ['ոօսց', 'noug'],
    // Latin, with a stroke, without a dot, and small capitals.
    ['øØłŁđĐħıɡ', 'oOlLdDhig'],
    ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
  ].flatMap(([lookalikes, letters]) =>
    Array.from(lookalikes!, (lookalike, index): [string, string] => [lookalike, letters!.charAt(index)]),
  ),
);

/** How a character is written in plain letters, and whether readers take it for another one, or see none. */
interface PlainForm {
  /** One of ASCII; none for a character that is left out. */
  readonly plain: string;
  readonly isDisguise: boolean;
}

/** The forms of all characters that have occurred: there are not many code points. */
const FORMS = new Map<string, PlainForm>();

/** Whether tags are letters of the word that they touch, a text of their own, or not there. */
type TagReading = 'joined' | 'apart' | 'left out';

/**
 * Finds phrases of prompt injections with letters that look like others, or with characters between them that are not seen. A phrase
 * belongs to the part in which its first such character stands. Those without one are found as they stand.
 */
export function findDisguisedPhrases({ text, to, words }: TextPart, from: number, found: MatchHandler): void {
  if (words.isAsciiThroughout || firstDisguiseIn(text.slice(from, to)) === -1) return;
  const offset = Math.max(0, from - REACH_BEFORE);
  const stretch = text.slice(offset, to + REACH_BEHIND);
  // A model may read tags, which are not shown, as letters of the word that they touch, as a text of their own, or not at all.
  const readings: readonly TagReading[] = TAG.test(stretch) ? ['joined', 'apart', 'left out'] : ['joined'];
  for (const reading of readings) {
    const { plain, places } = inPlainLetters(stretch, reading);
    findPhrasesIn(plain, (phraseStart, phraseEnd, name) => {
      const start = places[phraseStart]!;
      // What is not seen behind the last letter is no part of the phrase.
      const last = places[phraseEnd - 1]!;
      const end = last + String.fromCodePoint(stretch.codePointAt(last)!).length;
      const first = firstDisguiseIn(stretch.slice(start, end));
      const disguise = offset + start + first;
      if (first !== -1 && disguise >= from && disguise < to) found(offset + start, offset + end, name);
    });
  }
}

/** A stretch in plain letters, and where each of them stands in it. */
function inPlainLetters(stretch: string, reading: TagReading): { plain: string; places: number[] } {
  const places: number[] = [];
  let plain = '';
  let place = 0;
  let isBehindTag = false;
  for (const character of stretch) {
    const isBeyondAscii = character > '\x7f';
    const isTag = isBeyondAscii && TAG.test(character);
    let written = isBeyondAscii ? plainForm(character).plain : character;
    if (reading === 'left out' && isTag) written = '';
    if (reading === 'apart' && isTag !== isBehindTag) written = ` ${written}`;
    isBehindTag = isTag;
    plain += written;
    while (places.length < plain.length) places.push(place);
    place += character.length;
  }
  return { plain, places };
}

/** Where the first character stands that readers take for another one, or do not see; -1 if there is none. */
function firstDisguiseIn(text: string): number {
  for (const { index, 0: character } of text.matchAll(NOT_ASCII)) if (plainForm(character).isDisguise) return index;
  return -1;
}

/** How a character beyond ASCII is written in plain letters. @param character also half a surrogate pair */
function plainForm(character: string): PlainForm {
  const form = FORMS.get(character) ?? formOf(character);
  FORMS.set(character, form);
  return form;
}

function formOf(character: string): PlainForm {
  if (TAG.test(character)) return { plain: String.fromCharCode(character.codePointAt(0)! - TAGS), isDisguise: true };
  if (character === '’') return { plain: "'", isDisguise: false };
  if (/\s/.test(character)) return { plain: ' ', isDisguise: false };
  if (NOT_SEEN.test(character)) return { plain: '', isDisguise: true };
  // The first Latin letter that it is made of, or that a letter it is made of looks like.
  const letters = Array.from(character.normalize('NFKD'), (part) => LOOKALIKES.get(part) ?? part);
  const letter = letters.find((part) => /[A-Za-z]/.test(part));
  return { plain: letter ?? NO_PLAIN_CHARACTER, isDisguise: letter !== undefined };
}
