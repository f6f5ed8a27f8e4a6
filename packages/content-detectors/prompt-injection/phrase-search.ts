import type { MatchHandler } from '../text/detector.js';
import { matchesAt } from '../text/sticky-match.js';
import { TextPart } from '../text/text-part.js';
import { edgesOfWord, PAIRS, smallBeginningOf, smallEndsOf } from '../text/word-edges.js';
import { type Phrase, phrasesOf } from './phrase-notation.js';
import { EXACT_PHRASES, PHRASES } from './phrases.js';

/** All phrases; several may have one name. */
export const INJECTION_PHRASES: readonly Phrase[] = [...phrasesOf(PHRASES), ...phrasesOf(EXACT_PHRASES, 'y')];

/** Names of phrases that count only where they are not forbidden: many instructions say `never reveal your prompt`. */
const ORDERS =
  /^(?:(?:ignore|forget|disregard|override|void|repeat)_.*instructions|(?:reveal|show|output)_prompt|(?:bypass|disable|ignore)_safety|remove_restrictions)$/;

/** Not what someone is told not to do, or is said to do. */
const IS_PERMITTED = /(?<!\b(?:not|never|\w{1,8}n['’]t|cannot|to prevent|refuse to|avoid)\s{1,4}(?:ever\s{1,4})?)/iy;

/** The phrases that begin with a word or a mark, and one expression that matches where one of them does. */
const GROUPS: ReadonlyMap<string, readonly { anyOf: RegExp; phrases: readonly Phrase[] }[]> = groups();

/** Whether a phrase begins with a word of these first two characters, or of these ends: nearly all words need no look-up. */
const BEGINS_PHRASE = new Uint8Array(PAIRS);
const ENDS_FIRST_WORD = new Uint8Array(PAIRS);
for (const word of GROUPS.keys()) {
  BEGINS_PHRASE[smallBeginningOf(edgesOfWord(word))] = 1;
  ENDS_FIRST_WORD[smallEndsOf(edgesOfWord(word))] = 1;
}

const UNDERSCORE = '_'.charCodeAt(0);

/** Marks that count once when they are repeated: the expression takes the others. */
const REPEATABLE = '#=-';

/** Finds phrases of prompt injections that begin in a part of a text as they stand, each with the name of its pattern. */
export function findPhrases(
  { text, words: { starts, ends, edges, marks } }: TextPart,
  from: number,
  found: MatchHandler,
): void {
  for (let index = 0; index < starts.length; index += 1) {
    const edge = edges[index]!;
    if (BEGINS_PHRASE[smallBeginningOf(edge)] === 0 || ENDS_FIRST_WORD[smallEndsOf(edge)] === 0) continue;
    const start = starts[index]!;
    const end = ends[index]!;
    // An underscore joins a word to another one.
    const isPart = text.charCodeAt(start - 1) === UNDERSCORE || text.charCodeAt(end) === UNDERSCORE;
    if (start >= from && !isPart) tryPhrases(text.slice(start, end).toLowerCase(), text, start, found);
  }
  for (const mark of marks) {
    if (mark < from) continue;
    const character = text.charAt(mark);
    const isRepetition = mark > from && REPEATABLE.includes(character) && text.charAt(mark - 1) === character;
    if (!isRepetition) tryPhrases(character, text, mark, found);
  }
}

/** Finds phrases in a text that is another writing of a part. */
export function findPhrasesIn(text: string, found: MatchHandler): void {
  findPhrases(new TextPart(text, 0, text.length), 0, found);
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
