import type { MatchHandler } from '../../engine/detector.js';
import type { TextPart } from '../../engine/text-part.js';
import { isAlphanumeric } from '../character-kinds.js';
import { KEY_FORMS, type KeyForm } from './key-forms.js';

/** The forms by the first two characters of their prefixes. */
const FORMS_BY_BEGINNING: ReadonlyMap<string, readonly KeyForm[]> = new Map(
  KEY_FORMS.map(({ prefix }) => prefix.slice(0, 2)).map((beginning) => [
    beginning,
    KEY_FORMS.filter(({ prefix }) => prefix.startsWith(beginning)),
  ]),
);

/** Which two ASCII characters begin a prefix, the first of which is a letter. */
const BEGINNINGS = new Uint8Array(1 << 14);
for (const beginning of FORMS_BY_BEGINNING.keys()) {
  BEGINNINGS[(beginning.charCodeAt(0) << 7) | beginning.charCodeAt(1)] = 1;
}

/** Finds keys of well-known forms that begin in a part of a text. */
export function findKnownKeys(part: TextPart, from: number, found: MatchHandler): number {
  const { text } = part;
  let position = from;
  for (const start of part.words.starts) {
    if (start < position || !isBeginning(text, start)) continue;
    const end = keyEnd(text, start);
    if (end === -1) continue;
    found(start, end);
    position = end;
  }
  return Math.max(position, part.to);
}

function isBeginning(text: string, start: number): boolean {
  const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)];
  return first < 128 && second < 128 && BEGINNINGS[(first << 7) | second] === 1;
}

/** Whether an underscore joins a word to another one. */
function isJoined(text: string, start: number): boolean {
  return text.charAt(start - 1) === '_' && isAlphanumeric(text.charCodeAt(start - 2));
}

/** @returns the end of the key; -1 if there is none */
function keyEnd(text: string, start: number): number {
  if (isJoined(text, start)) return -1;
  for (const { prefix, expression, accepts } of FORMS_BY_BEGINNING.get(text.slice(start, start + 2)) ?? []) {
    if (!text.startsWith(prefix, start)) continue;
    expression.lastIndex = start;
    const [key] = expression.exec(text) ?? [];
    if (key === undefined || isAlphanumeric(text.charCodeAt(start + key.length))) continue;
    if (accepts(key)) return start + key.length;
  }
  return -1;
}
