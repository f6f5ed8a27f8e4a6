import { isAlphanumeric } from '../builtins/character-kinds.js';
import type { MatchHandler, Span } from '../engine/detector.js';
import { findPhrasesIn } from './injection-phrases.js';
import { rewrittenBy } from './rewritten-stretches.js';

/** How much of a text in front of a first word is read with it, which tells whether the phrase is forbidden, and how much behind it. */
const REACH_BEFORE = 48;
const REACH_BEHIND = 240;

/** How many gaps between words are looked at behind the first word, and the longest one: a tag with its attributes. */
const MAXIMUM_GAPS = 9;
const MAXIMUM_GAP = 96;

const INLINE_TAG =
  '\\s{0,2}<\\/?(?:abbr|a|big|br|b|code|del|em|font|ins|i|kbd|mark|q|small|span|strong|sub|sup|s|u|wbr)(?:\\s[^<>\\n]{0,80})?\\/?>\\s{0,2}';

/** A line end within a quoted text, or a comment. */
const QUOTED_LINE = '[ \\t]{0,3}\\r?\\n[ \\t]{0,3}(?:(?:>|\\/\\/)[ \\t]{0,3}){1,3}';

const DOTS = '\\s{0,2}(?:\\.{2,6}|…)\\s{0,2}';

/** A single word in quotation marks: several are a name or what someone said. A list of such words has commas. */
const QUOTED_WORD = '(?<![\\w"\'`])["\'`“‘«]{1,3}[A-Za-z]{1,24}["\'`”’»]{1,3}(?!\\w|,\\s?["\'`“‘«])';

const STRESS = '(?<![A-Za-z0-9_])[_~]{1,3}(?=[A-Za-z0-9*])|(?<=[A-Za-z0-9*])[_~]{1,3}(?![A-Za-z0-9_])';

/** Emoji, arrows and what joins them, by code units. */
const PICTURES = '[\\u2190-\\u21ff\\u2600-\\u27bf\\u2b00-\\u2bff]|\\ufe0f|\\u200d|[\\ud83c-\\ud83e][\\udc00-\\udfff]';

/** What is read as the space between words. */
const MARKS = new RegExp(
  `${INLINE_TAG}|${QUOTED_LINE}|${DOTS}|${QUOTED_WORD}|${STRESS}|(?:(?:${PICTURES})\\s{0,2}){1,12}`,
  'gi',
);

/** A stretch of a text, and where in it orders begin. */
interface Stretch {
  readonly from: number;
  to: number;
  readonly starts: Set<number>;
}

/** A first word with marks behind it, but not a word with which an order goes on: one may write of the word. */
const IS_ONLY_NAMED = new RegExp(
  '^[A-Za-z]+(?:<[^<>]{0,80}>|[^A-Za-z0-9\\s,*<]{1,3})(?![A-Za-z0-9])(?!(?:<[^<>]{0,80}>|[^A-Za-z0-9<]){0,8}(?:all|any|every|everything|the|your|my|our|these|those|previous|prior|above|earlier|me|us|what|whatever|safety|system)(?![A-Za-z0-9]))',
  'i',
);

const OTHER_MARKS = /[_~"'`“‘«<>]/;

/** What no gap consists of by itself. */
const SPACES = /[\s,*]/;
const STRESSES = /[_~"'`“”‘’«»<>…./]/;
const IN_PICTURES = /[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff]|\ufe0f|\u200d|[\ud83c-\ud83e]|[\udc00-\udfff]/;

/**
 * Finds phrases of prompt injections whose words are stressed or quoted one by one, have tags or dots between them, or stand in
 * several quoted lines.
 *
 * @param orders the words that the phrases begin with
 */
export function findStressedPhrases(text: string, orders: readonly Span[], found: MatchHandler): void {
  for (const { from, to, starts } of stretchesAround(text, orders)) {
    const { text: plain, originalOf } = rewrittenBy(text.slice(from, to), MARKS, withoutMarks);
    findPhrasesIn(plain, (phraseStart, phraseEnd, name) => {
      const original = originalOf(phraseStart, phraseEnd);
      const [start, end] = [from + original.start, from + original.end];
      if (starts.has(start) && isMeantAsOne(text, start, end)) found(start, end, name);
    });
  }
}

/** The stretches in which phrases may be that begin with stressed orders: those of neighbours are one, so that each text is read once. */
function stretchesAround(text: string, orders: readonly Span[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { start, end } of orders) {
    if (!isStressed(text, start, end)) continue;
    const [from, to] = [Math.max(0, start - REACH_BEFORE), end + REACH_BEHIND];
    const last = stretches.at(-1);
    if (last === undefined || last.to < from) {
      stretches.push({ from, to, starts: new Set([start]) });
      continue;
    }
    last.to = to;
    last.starts.add(start);
  }
  return stretches;
}

function withoutMarks(mark: string): string {
  return /^["'`“‘«]/.test(mark) ? mark.replace(/[^A-Za-z]/g, ' ') : ' ';
}

/** Whether there are marks between the words that begin with one, which only some other signs may part. */
function isStressed(text: string, start: number, end: number): boolean {
  if (text.charAt(start - 1) === '_') return true;
  let position = end;
  for (let gap = 0; gap < MAXIMUM_GAPS; gap += 1) {
    const gapStart = position;
    let isMarked = false;
    while (!isAlphanumeric(text.charCodeAt(position))) {
      const character = text.charAt(position);
      if (STRESSES.test(character) || IN_PICTURES.test(character)) isMarked = true;
      else if (!SPACES.test(character) && !(character === '-' && position === gapStart)) return false;
      // What stands in a tag is no word.
      position = character === '<' ? text.indexOf('>', position) + 1 : position + 1;
      if (position === 0 || position - gapStart > MAXIMUM_GAP || position >= text.length) return false;
    }
    // A single one is the apostrophe of a word, the end of a sentence, or a part of a name.
    if (isMarked && position - gapStart > 1 && !/^[.'’]\s+$/.test(text.slice(gapStart, position))) return true;
    while (isAlphanumeric(text.charCodeAt(position))) position += 1;
  }
  return false;
}

/** Whether the marks in a phrase, and those around it, are such as stress words. */
function isMeantAsOne(text: string, start: number, end: number): boolean {
  const phrase = text.slice(start, end);
  if (IS_ONLY_NAMED.test(phrase)) return false;
  const stresses = text.slice(Math.max(0, start - 1), end + 1).match(/[_~]+/g)?.length ?? 0;
  const dots = phrase.match(/\.{2,}|…/g)?.length ?? 0;
  // One by itself is a part of a name, or what someone hesitates with.
  return stresses !== 1 && (dots !== 1 || OTHER_MARKS.test(phrase));
}
