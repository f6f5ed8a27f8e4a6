import type { Span } from '../engine/detector.js';
import { type FirstWord, ORDER, registerWord } from './candidate-words.js';

/** What prompt injections most often tell a model to do: the first words of phrases that are looked for with marks between their words. */
const ORDERS: ReadonlySet<string> = new Set(
  (
    'ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing circumvent disable deactivate reveal ' +
    'disclose leak expose show print output repeat display tell remove pretend enable activate'
  ).split(' '),
);

for (const word of ORDERS) registerWord(word, ORDER);

/** The orders to a model among the words that may be such. */
export function ordersAmong(text: string, candidates: readonly FirstWord[]): readonly Span[] {
  return candidates.filter(({ start, end }) => ORDERS.has(text.slice(start, end).toLowerCase()));
}
