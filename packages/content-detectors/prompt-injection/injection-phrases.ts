import type { MatchHandler } from '../text/detector.js';
import { matchesAt } from '../text/sticky-match.js';
import { TextPart } from '../text/text-part.js';
import { EXTRACTION_PHRASES } from './extraction-phrases.js';
import { joinedNamesIn } from './joined-words.js';
import { MARKED_PHRASES } from './marked-phrases.js';
import { MODE_PHRASES } from './mode-phrases.js';
import { OVERRIDE_PHRASES } from './override-phrases.js';
import { PERSONA_PHRASES } from './persona-phrases.js';
import { type Phrase, phrasesOf } from './phrase-notation.js';
import { PHRASES_IN_OTHER_LANGUAGES } from './phrases-in-other-languages.js';
import { SAFETY_PHRASES } from './safety-phrases.js';
import { FIRST_OF_PHRASE, registerWords, type TellingWords, tellingWordsIn } from './telling-words.js';

/** All phrases that begin with words or marks; several may have one name. */
export const INJECTION_PHRASES: readonly Phrase[] = [
  ...[OVERRIDE_PHRASES, MODE_PHRASES, PERSONA_PHRASES, EXTRACTION_PHRASES, SAFETY_PHRASES].flatMap((texts) =>
    phrasesOf(texts),
  ),
  ...PHRASES_IN_OTHER_LANGUAGES,
  ...MARKED_PHRASES,
];

/** Names of phrases that count only where they are not forbidden: many instructions say `never reveal your prompt`. */
const ORDERS =
  /^(?:(?:ignore|forget|disregard|override|void|repeat)_.*instructions|(?:reveal|show|output)_prompt|(?:bypass|disable|ignore)_safety|remove_restrictions)$/;

/** Not what someone is told not to do, or is said to do. */
const IS_PERMITTED = /(?<!\b(?:not|never|\w{1,8}n['’]t|cannot|to prevent|refuse to|avoid)\s{1,4}(?:ever\s{1,4})?)/iy;

/** The phrases that begin with a word or a mark, and one expression that matches where one of them does. */
const GROUPS: ReadonlyMap<string, readonly { anyOf: RegExp; phrases: readonly Phrase[] }[]> = groups();

registerWords(
  [...GROUPS.keys()].filter((word) => /^\w/.test(word)),
  FIRST_OF_PHRASE,
);

const UNDERSCORE = '_'.charCodeAt(0);

/** Marks that count once when they are repeated: the expression takes the others. */
const REPEATABLE = '#=-';

/** Finds phrases of prompt injections that begin in a part of a text as they stand, each with the name of its pattern. */
export function findInjectionPhrases(
  { text, words: { marks } }: TextPart,
  from: number,
  { first, long }: TellingWords,
  found: MatchHandler,
): void {
  for (const { start, end } of first) {
    // An underscore joins a word to another one.
    if (text.charCodeAt(start - 1) === UNDERSCORE || text.charCodeAt(end) === UNDERSCORE) continue;
    tryPhrases(text.slice(start, end).toLowerCase(), text, start, found);
  }
  for (const mark of marks) {
    if (mark < from) continue;
    const character = text.charAt(mark);
    const isRepetition = mark > from && REPEATABLE.includes(character) && text.charAt(mark - 1) === character;
    if (!isRepetition) tryPhrases(character, text, mark, found);
  }
  for (const { start, end } of long) {
    for (const name of joinedNamesIn(text.slice(start, end))) found(start, end, name);
  }
}

/** Finds the same in a whole text. */
export function findPhrasesIn(text: string, found: MatchHandler): void {
  const part = new TextPart(text, 0, text.length);
  findInjectionPhrases(part, 0, tellingWordsIn(part, 0), found);
}

/** The names of the patterns that occur in a short text. */
export function injectionNamesIn(text: string): Set<string> {
  const names = new Set<string>();
  findPhrasesIn(text, (_start, _end, name) => names.add(name!));
  return names;
}

function tryPhrases(first: string, text: string, start: number, found: MatchHandler): void {
  for (const { anyOf, phrases } of GROUPS.get(first) ?? []) {
    if (!matchesAt(anyOf, text, start)) continue;
    for (const { name, expression } of phrases) {
      if (!matchesAt(expression, text, start)) continue;
      if (!ORDERS.test(name) || matchesAt(IS_PERMITTED, text, start)) found(start, expression.lastIndex, name);
    }
  }
}

function groups(): Map<string, { anyOf: RegExp; phrases: readonly Phrase[] }[]> {
  const byWord = new Map<string, Map<string, Phrase[]>>();
  for (const phrase of INJECTION_PHRASES) {
    for (const word of phrase.firstWords) {
      const byFlags = byWord.get(word) ?? new Map<string, Phrase[]>();
      const { flags } = phrase.expression;
      byWord.set(word, byFlags.set(flags, [...(byFlags.get(flags) ?? []), phrase]));
    }
  }
  const group = ([flags, phrases]: [string, Phrase[]]): { anyOf: RegExp; phrases: Phrase[] } => ({
    anyOf: new RegExp(phrases.map(({ expression }) => `(?:${expression.source})`).join('|'), flags),
    phrases,
  });
  return new Map(Array.from(byWord, ([word, byFlags]) => [word, Array.from(byFlags, group)]));
}
