import type { MatchHandler } from '../../engine/detector.js';
import { AsciiSet, isAlphanumeric } from '../character-kinds.js';
import { KEY_FORMS, type KeyForm } from './key-forms.js';

/** The forms by the first two characters of their prefixes. */
const FORMS_BY_BEGINNING: ReadonlyMap<string, readonly KeyForm[]> = new Map(
  KEY_FORMS.map(({ prefix }) => prefix.slice(0, 2)).map((beginning) => [
    beginning,
    KEY_FORMS.filter(({ prefix }) => prefix.startsWith(beginning)),
  ]),
);

/** Which ASCII characters begin a prefix. */
const BEGINNINGS = new AsciiSet((character) => KEY_FORMS.some(({ prefix }) => prefix.startsWith(character)));

/** Finds keys of well-known forms that begin in a part of a text. */
export function findKnownKeys(text: string, from: number, to: number, found: MatchHandler): number {
  let position = from;
  while (position < to) {
    const end = BEGINNINGS.has(text.charCodeAt(position)) ? keyEnd(text, position) : -1;
    if (end !== -1) found(position, end);
    position = end === -1 ? position + 1 : end;
  }
  return position;
}

function isInWord(text: string, start: number): boolean {
  const code = text.charCodeAt(start - 1);
  return isAlphanumeric(code) || (text.charAt(start - 1) === '_' && isAlphanumeric(text.charCodeAt(start - 2)));
}

/** @returns the end of the key; -1 if there is none */
function keyEnd(text: string, start: number): number {
  if (isInWord(text, start)) return -1;
  for (const { prefix, expression, accepts } of FORMS_BY_BEGINNING.get(text.slice(start, start + 2)) ?? []) {
    if (!text.startsWith(prefix, start)) continue;
    expression.lastIndex = start;
    const [key] = expression.exec(text) ?? [];
    if (key === undefined || isAlphanumeric(text.charCodeAt(start + key.length))) continue;
    if (accepts(key)) return start + key.length;
  }
  return -1;
}
