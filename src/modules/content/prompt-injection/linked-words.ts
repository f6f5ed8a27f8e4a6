import type { MatchHandler, Span } from '../engine/detector.js';
import { matchAt } from '../engine/sticky-match.js';
import { findPhrasesIn } from './injection-phrases.js';
import { TELLING } from './joined-words.js';

/** How much of a text in front of a first word is read with it, which tells whether the phrase is forbidden. */
const REACH_BEFORE = 24;

/** Words with the same sign between each two of them. */
const LINKED = /[A-Za-z]{3,24}([_./+-])[A-Za-z]{1,24}(?:\1[A-Za-z]{1,24}){1,20}/y;

const LINKS = /[_./+-]/g;

/** Shorter ones are names of functions and files, and of the patterns of filters such as this one. */
const FEWEST_WORDS = 4;

/** Names of the patterns of orders: questions are addresses of pages too. */
const NAME_OF_ORDER = /^(?:ignore|disregard|forget|override|bypass|reveal|disable)_/;

/**
 * Finds phrases of prompt injections whose words have signs between them, as in `ignore_all_previous_instructions`.
 *
 * @param orders the words that the phrases begin with
 */
export function findLinkedPhrases(text: string, orders: readonly Span[], found: MatchHandler): void {
  const starts = new Set(orders.map(({ start }) => start));
  let readTo = 0;
  for (const { start, end } of orders) {
    // Nearly all words have a space behind them, and what is linked on both sides has been read.
    if (end < readTo || !'_./+-'.includes(text.charAt(end))) continue;
    const linked = matchAt(LINKED, text, start);
    if (linked === undefined) continue;
    const from = Math.max(0, start - REACH_BEFORE);
    readTo = start + linked.length;
    const plain = text.slice(from, readTo).replace(LINKS, ' ');
    findPhrasesIn(plain, (phraseStart, phraseEnd, name) => {
      const phraseStartInText = from + phraseStart;
      if (phraseStartInText < start || !starts.has(phraseStartInText) || !NAME_OF_ORDER.test(name!)) return;
      const phrase = plain.slice(phraseStart, phraseEnd);
      if (phrase.split(' ').length < FEWEST_WORDS || !TELLING.test(phrase)) return;
      found(phraseStartInText, from + phraseEnd, name);
    });
  }
}
