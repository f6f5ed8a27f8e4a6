import type { MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import type { Words } from '../text/words.js';
import { isAlphanumeric } from '../text/character-kinds.js';
import { MARK_OF_LENGTH, markedKeyEnd, MAXIMUM_MARKED_LENGTH } from './marked-keys.js';
import { findNamedSecret, findPasswordBehindWord, MAXIMUM_TAG, TAG_BEGINNING } from './named-secrets.js';
import { findSecretBehindPhrase, mayBeginPhrase } from './secret-phrases.js';
import { endsWith, NAME_END, WORD_END } from './secret-names.js';

/** What the character behind a word lets follow. */
const VALUE = 1;
const BLANK = 2;
const MARK = 4;

/** By code unit. */
const FOLLOWING = new Uint8Array(1 << 16);
for (const character of ':="\'`\\]<>\r\n') FOLLOWING[character.charCodeAt(0)]! |= VALUE;
for (const character of ' \t\u00a0\u202f') FOLLOWING[character.charCodeAt(0)]! |= BLANK;
for (const character of '~:.-') FOLLOWING[character.charCodeAt(0)]! |= MARK;

/** From this length on a word is looked at whatever follows it: few words are so long. */
const LONG = 32;

const COLON = ':'.charCodeAt(0);
const EQUALS = '='.charCodeAt(0);

/** Finds secrets that are known by a word of a part of a text and what stands behind it: a name, a phrase, or a mark in a key. */
export function findSecretsBehindWords(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  const { starts, ends, edges, codes } = part.words;
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index]!;
    const behind = end - part.from;
    const code = behind < codes.length ? codes[behind]! : text.charCodeAt(end);
    const following = FOLLOWING[code]!;
    if (following === BLANK) {
      const next = codes[behind + 1];
      if (next === EQUALS || next === COLON || isElement(part, end)) findNamed(part, index, from, found);
      else if (mayBeginPhrase(edges[index]!) && starts[index]! >= from)
        findSecretBehindPhrase(text, starts[index]!, end, edges[index]!, found);
      continue;
    }
    if ((following & VALUE) !== 0) findNamed(part, index, from, found);
    const start = starts[index]!;
    const length = end - start;
    if (
      (length < LONG ? (following & MARK) !== 0 && MARK_OF_LENGTH[length] === code : length <= MAXIMUM_MARKED_LENGTH) &&
      start >= from
    )
      findMarked(part, start, end, found);
  }
}

/** Whether a word ends the name of an element of XML, behind which stands an attribute. */
function isElement({ text, from, words }: TextPart, end: number): boolean {
  const behind = end - from;
  if ((endsWith(words.codes[behind - 2]!, words.codes[behind - 1]!) & NAME_END) === 0) return false;
  return TAG_BEGINNING.test(text.slice(Math.max(0, end - MAXIMUM_TAG), end));
}

/** Finds the secret that is assigned to a name which a word is the end of. */
function findNamed({ text, from: partStart, words }: TextPart, index: number, from: number, found: MatchHandler): void {
  const end = words.ends[index]!;
  const behind = end - partStart;
  const ending = endsWith(words.codes[behind - 2]!, words.codes[behind - 1]!);
  if (ending !== 0 && end >= from) findAssigned(text, words, index, ending, found);
}

function findAssigned(
  text: string,
  { starts, ends, edges }: Words,
  index: number,
  ending: number,
  found: MatchHandler,
): void {
  const end = ends[index]!;
  if ((ending & NAME_END) !== 0) findNamedSecret(text, end, found);
  if ((ending & WORD_END) !== 0 && mayBeginPhrase(edges[index]!))
    findPasswordBehindWord(text, starts[index]!, end, found);
}

function findMarked({ text, to }: TextPart, start: number, end: number, found: MatchHandler): void {
  let wordEnd = end;
  // The words of a part end early where they reach far beyond it.
  while (wordEnd >= to && wordEnd - start <= MAXIMUM_MARKED_LENGTH && isAlphanumeric(text.charCodeAt(wordEnd)))
    wordEnd += 1;
  const keyEnd = markedKeyEnd(text, start, wordEnd - start);
  if (keyEnd !== -1) found(start, keyEnd);
}
