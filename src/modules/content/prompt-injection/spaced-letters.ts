import type { MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { injectionNamesIn } from './injection-phrases.js';
import { RUN_TOGETHER } from './joined-words.js';

/** Single letters with something between them. Two words of six letters at least are a phrase. */
const SPACED = /(?<![A-Za-z0-9])(?:[A-Za-z][ \t._*|/\\-]{1,3}){9,400}[A-Za-z](?![A-Za-z0-9])/g;

/** The longest run of letters: a part may end in the middle of one. */
const MAXIMUM_RUN_LENGTH = 1_664;

/** Several separators are a space between words, where there is one between letters. */
const BETWEEN_WORDS = /([A-Za-z])[ \t._*|/\\-]{2,3}(?=[A-Za-z])/g;

/** Finds phrases of prompt injections written letter by letter, as in `i g n o r e`, that begin in a part of a text. */
export function findSpacedPhrases({ text, to }: TextPart, from: number, found: MatchHandler): void {
  const before = Math.min(from, 1);
  const offset = from - before;
  for (const { index, 0: run } of text.slice(offset, to + MAXIMUM_RUN_LENGTH).matchAll(SPACED)) {
    if (offset + index >= to) return;
    if (index < before) continue;
    const start = offset + index;
    for (const name of namesIn(run)) found(start, start + run.length, name);
  }
}

function namesIn(run: string): Set<string> {
  const words = run
    .replace(BETWEEN_WORDS, '$1\n')
    .replace(/[^A-Za-z\n]/g, '')
    .replaceAll('\n', ' ');
  const names = injectionNamesIn(words);
  const together = words.replaceAll(' ', '').toLowerCase();
  for (const [name, phrase] of RUN_TOGETHER) if (phrase.test(together)) names.add(name);
  return names;
}
