import type { MatchHandler } from '../engine/detector.js';
import { INJECTION_PATTERNS, type InjectionPattern } from './injection-patterns.js';

const LONGEST_FIRST_WORD = 24;

const FIRST_WORDS = [...new Set(INJECTION_PATTERNS.flatMap(({ firstWords }) => firstWords))];

const PATTERNS_BY_FIRST_WORD: ReadonlyMap<string, readonly InjectionPattern[]> = new Map(
  FIRST_WORDS.map((word) => [word, INJECTION_PATTERNS.filter(({ firstWords }) => firstWords.includes(word))]),
);

/** Whole words, and marks. A mark that is repeated counts once: its pattern takes the others. */
const ANY_FIRST_WORD = new RegExp(
  `\\b(?:${FIRST_WORDS.filter((word) => /^\w/.test(word)).join('|')})\\b|<|\\[|\\(|\\{|#+|=+|-+`,
  'gi',
);

/** Finds phrases that are known from prompt injections and begin in a part of a text, each with the name of its pattern. */
export function findInjectionPhrases(text: string, from: number, to: number, found: MatchHandler): void {
  // One character before the part decides whether a word begins with it.
  const before = Math.min(from, 1);
  const part = text.slice(from - before, to + LONGEST_FIRST_WORD);
  ANY_FIRST_WORD.lastIndex = before;
  for (let match = ANY_FIRST_WORD.exec(part); match !== null; match = ANY_FIRST_WORD.exec(part)) {
    const start = from - before + match.index;
    if (start >= to) return;
    const [first] = match;
    const patterns = PATTERNS_BY_FIRST_WORD.get(first.toLowerCase()) ?? PATTERNS_BY_FIRST_WORD.get(first.charAt(0));
    for (const { name, expression } of patterns ?? []) {
      expression.lastIndex = start;
      const [phrase] = expression.exec(text) ?? [];
      if (phrase !== undefined) found(start, start + phrase.length, name);
    }
  }
}

/** The names of the patterns that occur in a short text. */
export function injectionNamesIn(text: string): Set<string> {
  const names = new Set<string>();
  findInjectionPhrases(text, 0, text.length, (_start, _end, name) => names.add(name!));
  return names;
}
