import type { MatchHandler, Span } from '../text/detector.js';
import { findPhrasesIn } from './injection-phrases.js';
import { TELLING } from './joined-words.js';
import { rewrittenBy } from './rewritten-stretches.js';
import { ORDER, registerWords } from './telling-words.js';

/** What prompt injections most often tell a model to do: phrases that begin with it are looked for with marks between their words. */
const ORDERS =
  'ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing circumvent disable deactivate reveal ' +
  'disclose leak expose show print output repeat display tell remove pretend enable activate';

registerWords(ORDERS.split(' '), ORDER);

/** How much of a text in front of a first word is read with it, which tells whether the phrase is forbidden, and how much behind it. */
const REACH_BEFORE = 48;
const REACH_BEHIND = 240;

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

/** Signs between words that have no space between them, as in `ignore_all_previous_instructions`. */
const LINKS = /(?<=[A-Za-z])[_./+-](?=[A-Za-z])/g;
const IS_LINKED = /^[A-Za-z]+(?:[_./+-][A-Za-z]+)+$/;

/** Fewer linked words are names of functions and files, and of the patterns of filters such as this one. */
const FEWEST_LINKED = 4;

/** Names of the patterns of linked orders: questions are addresses of pages too. */
const NAME_OF_ORDER = /^(?:ignore|disregard|forget|override|bypass|reveal|disable)_/;

/** A first word with marks behind it, but not a word with which an order goes on: one may write of the word. */
const IS_ONLY_NAMED = new RegExp(
  '^[A-Za-z]+(?:<[^<>]{0,80}>|[^A-Za-z0-9\\s,*<]{1,3})(?![A-Za-z0-9])(?!(?:<[^<>]{0,80}>|[^A-Za-z0-9<]){0,8}(?:all|any|every|everything|the|your|my|our|these|those|previous|prior|above|earlier|me|us|what|whatever|safety|system)(?![A-Za-z0-9]))',
  'i',
);

const OTHER_MARKS = /[_~"'`“‘«<>]/;

/**
 * Finds phrases of prompt injections whose words are stressed or quoted one by one, have tags, dots or signs between them, or stand in
 * several quoted lines.
 *
 * @param orders the words that the phrases begin with
 */
export function findStressedPhrases(text: string, orders: readonly Span[], found: MatchHandler): void {
  const starts = new Set(orders.map(({ start }) => start));
  for (let index = 0; index < orders.length;) {
    const from = Math.max(0, orders[index]!.start - REACH_BEFORE);
    // Those of neighbours are one stretch, so that each text is read once.
    let to: number;
    do to = orders[index++]!.end + REACH_BEHIND;
    while (index < orders.length && orders[index]!.start - REACH_BEFORE <= to);
    const stretch = text.slice(from, to);
    for (const [marks, writing, isMeant] of [
      [MARKS, withoutMarks, isMeantAsOne],
      [LINKS, () => ' ', isLinkedOrder],
    ] as const) {
      const { text: plain, originalOf } = rewrittenBy(stretch, marks, writing);
      if (plain === stretch) continue;
      findPhrasesIn(plain, (phraseStart, phraseEnd, name) => {
        const original = originalOf(phraseStart, phraseEnd);
        const [start, end] = [from + original.start, from + original.end];
        if (starts.has(start) && isMeant(text, start, end, name!)) found(start, end, name);
      });
    }
  }
}

function withoutMarks(mark: string): string {
  return /^["'`“‘«]/.test(mark) ? mark.replace(/[^A-Za-z]/g, ' ') : ' ';
}

function isLinkedOrder(text: string, start: number, end: number, name: string): boolean {
  const phrase = text.slice(start, end);
  const isLinked = IS_LINKED.test(phrase) && phrase.split(/[^A-Za-z]/).length >= FEWEST_LINKED;
  return isLinked && NAME_OF_ORDER.test(name) && TELLING.test(phrase);
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
