import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { beginningOf, edgesOfWord, PAIRS } from '../text/word-edges.js';
import { edgesOf } from '../text/words.js';
import { isAlphanumeric } from '../text/character-kinds.js';
import { KEY_FORMS, type KeyForm } from './key-forms.js';

/** The forms by the first two characters of their prefixes. */
const FORMS_BY_BEGINNING: ReadonlyMap<number, readonly KeyForm[]> = new Map(
  KEY_FORMS.map(beginningOfPrefix).map((beginning) => [
    beginning,
    KEY_FORMS.filter((form) => beginningOfPrefix(form) === beginning),
  ]),
);

/** The longest word whose length is told from others. */
const MAXIMUM_COUNTED_LENGTH = 31;

/** By the first two characters of a word, how long it is when a prefix begins there: a bit for each length. */
const LENGTHS_BY_BEGINNING = new Uint32Array(PAIRS);
for (const form of KEY_FORMS) LENGTHS_BY_BEGINNING[beginningOfPrefix(form)]! |= wordLengths(form);

/** The prefixes of keys that are the rest of an address. */
const ADDRESS_PREFIXES = KEY_FORMS.map(({ prefix }) => prefix).filter((prefix) => prefix.includes('/'));

/** The scheme and further labels of the host in front of its name. */
const ADDRESS_BEGINNING = /https?:\/\/(?:[\w-]{1,32}\.){0,2}$/i;
const MAXIMUM_ADDRESS_BEGINNING = 76;

/** Finds keys of well-known forms that begin in a part of a text. */
export function findKnownKeys(part: TextPart, from: number, found: MatchHandler): number {
  const { text } = part;
  const { starts, ends, edges } = part.words;
  let position = from;
  for (let index = 0; index < starts.length; index += 1) {
    const beginning = beginningOf(edges[index]!);
    const lengths = LENGTHS_BY_BEGINNING[beginning]!;
    if (lengths === 0) continue;
    const start = starts[index]!;
    if ((lengths & lengthBit(ends[index]! - start)) === 0 || start < position) continue;
    const end = keyEnd(text, start, FORMS_BY_BEGINNING.get(beginning)!);
    if (end === -1) continue;
    found(addressStart(text, start), end);
    position = end;
  }
  return Math.max(position, part.to);
}

/** Where the address begins of which a key is the rest, as those of webhooks are; else the start of the key. */
function addressStart(text: string, start: number): number {
  if (!ADDRESS_PREFIXES.some((prefix) => text.startsWith(prefix, start))) return start;
  const [address = ''] =
    ADDRESS_BEGINNING.exec(text.slice(Math.max(0, start - MAXIMUM_ADDRESS_BEGINNING), start)) ?? [];
  return start - address.length;
}

function beginningOfPrefix({ prefix }: KeyForm): number {
  return beginningOf(edgesOfWord(prefix));
}

/** The lengths of the word that a key of a form begins with: that of the prefix up to its first mark, or more if it has none. */
function wordLengths({ prefix, expression }: KeyForm): number {
  const mark = prefix.search(/[^A-Za-z0-9]/);
  if (mark !== -1) return lengthBit(mark);
  // Letters and digits that have to follow the prefix belong to the word.
  const [, following = '0'] = /\(\?:\[[A-Za-z0-9-]+\]\{(\d+)/.exec(expression.source) ?? [];
  const isAlternative = expression.source.includes('|');
  return -lengthBit(prefix.length + (isAlternative ? 0 : Number(following)));
}

function lengthBit(length: number): number {
  return 1 << Math.min(length, MAXIMUM_COUNTED_LENGTH);
}

/** Whether an underscore joins a word to another one. */
function isJoined(text: string, start: number): boolean {
  return text.charAt(start - 1) === '_' && isAlphanumeric(text.charCodeAt(start - 2));
}

/** The end of the key of a well-known form that begins here; -1 if there is none. */
export function knownKeyEnd(text: string, start: number): number {
  const beginning = beginningOf(edgesOf(text.charCodeAt(start), text.charCodeAt(start + 1), 0));
  return keyEnd(text, start, FORMS_BY_BEGINNING.get(beginning) ?? []);
}

/** @returns the end of the key; -1 if there is none */
function keyEnd(text: string, start: number, forms: readonly KeyForm[]): number {
  for (const { prefix, expression, accepts } of forms) {
    if (!text.startsWith(prefix, start) || isJoined(text, start)) continue;
    const key = matchAt(expression, text, start);
    if (key === undefined || isAlphanumeric(text.charCodeAt(start + key.length))) continue;
    if (accepts(key)) return start + key.length;
  }
  return -1;
}
