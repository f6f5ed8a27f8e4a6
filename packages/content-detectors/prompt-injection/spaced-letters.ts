import type { MatchHandler, Span } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { injectionNamesIn } from './injection-phrases.js';
import { RUN_TOGETHER } from './joined-words.js';
import { findRewrittenPhrases, rewrittenBy } from './rewritten-stretches.js';

/** What stands between letters, pictures included. */
const SEPARATOR = '(?:[ \\t._*|/\\\\,;:~+^=•·–—-]|\\p{Extended_Pictographic}|\\u{fe0f}|\\u{200d})';

/** Single letters with something between them. Two words of six letters at least are a phrase. */
const SPACED = new RegExp(`(?<![A-Za-z0-9])(?:[A-Za-z]${SEPARATOR}{1,3}){9,400}[A-Za-z](?![A-Za-z0-9])`, 'gu');

/** One word, between all letters of which the same stands. */
const SPACED_WORD = new RegExp(
  `(?<![A-Za-z0-9])[A-Za-z](${SEPARATOR}{1,2})(?:[A-Za-z]\\1){3,13}[A-Za-z](?![A-Za-z0-9])`,
  'gu',
);

/** The longest run of letters, of which a separator has two code units at most: a part may end in the middle of one. */
const MAXIMUM_RUN_LENGTH = 2_801;

/** Several separators are a space between words, where there is one between letters. */
const BETWEEN_WORDS = new RegExp(`([A-Za-z])${SEPARATOR}{2,3}(?=[A-Za-z])`, 'gu');

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

/** Finds phrases of which single words are written so, as in `i.g.n.o.r.e your rules`. */
export function findPhrasesWithSpacedWords({ text, to }: TextPart, from: number, found: MatchHandler): void {
  const before = Math.min(from, 1);
  const words: Span[] = [];
  for (const { index, 0: run } of text.slice(from - before, to).matchAll(SPACED_WORD)) {
    const start = from - before + index;
    if (start >= from) words.push({ start, end: start + run.length });
  }
  findRewrittenPhrases(text, words, (stretch) => rewrittenBy(stretch, SPACED_WORD, joined), found);
}

function joined(run: string): string {
  return run.replace(/[^A-Za-z]/g, '');
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
