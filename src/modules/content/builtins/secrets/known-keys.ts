import type { MatchHandler } from '../../engine/detector.js';
import type { TextPart } from '../../engine/text-part.js';
import { beginningOf, edgesOfWord, PAIRS } from '../../engine/word-edges.js';
import { isAlphanumeric } from '../character-kinds.js';
import { KEY_FORMS, type KeyForm } from './key-forms.js';

/** The forms by the first two characters of their prefixes. */
const FORMS_BY_BEGINNING: ReadonlyMap<number, readonly KeyForm[]> = new Map(
  KEY_FORMS.map(beginningOfPrefix).map((beginning) => [
    beginning,
    KEY_FORMS.filter((form) => beginningOfPrefix(form) === beginning),
  ]),
);

/** Which two characters begin a prefix. */
const IS_BEGINNING = new Uint8Array(PAIRS);
for (const beginning of FORMS_BY_BEGINNING.keys()) IS_BEGINNING[beginning] = 1;

/** Finds keys of well-known forms that begin in a part of a text. */
export function findKnownKeys(part: TextPart, from: number, found: MatchHandler): number {
  const { text } = part;
  const { starts, edges } = part.words;
  let position = from;
  for (let index = 0; index < starts.length; index += 1) {
    const beginning = beginningOf(edges[index]!);
    const start = starts[index]!;
    if (IS_BEGINNING[beginning] === 0 || start < position) continue;
    const end = keyEnd(text, start, FORMS_BY_BEGINNING.get(beginning)!);
    if (end === -1) continue;
    found(start, end);
    position = end;
  }
  return Math.max(position, part.to);
}

function beginningOfPrefix({ prefix }: KeyForm): number {
  return beginningOf(edgesOfWord(prefix));
}

/** Whether an underscore joins a word to another one. */
function isJoined(text: string, start: number): boolean {
  return text.charAt(start - 1) === '_' && isAlphanumeric(text.charCodeAt(start - 2));
}

/** @returns the end of the key; -1 if there is none */
function keyEnd(text: string, start: number, forms: readonly KeyForm[]): number {
  for (const { prefix, expression, accepts } of forms) {
    if (!text.startsWith(prefix, start) || isJoined(text, start)) continue;
    expression.lastIndex = start;
    const [key] = expression.exec(text) ?? [];
    if (key === undefined || isAlphanumeric(text.charCodeAt(start + key.length))) continue;
    if (accepts(key)) return start + key.length;
  }
  return -1;
}
