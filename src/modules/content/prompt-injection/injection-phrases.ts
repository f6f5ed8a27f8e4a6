import type { MatchHandler } from '../engine/detector.js';
import { matchesAt } from '../engine/sticky-match.js';
import { type AsciiWords, asciiWordsOf } from './ascii-words.js';
import {
  areMet,
  type CandidateWords,
  candidatesAmong,
  type FirstWord,
  registerFirst,
  registerNeeded,
} from './candidate-words.js';
import { INJECTION_PATTERNS, type InjectionPattern } from './injection-patterns.js';
import { joinedNamesIn } from './joined-words.js';
import { FOREIGN, type Needs } from './needed-words.js';
import { NOT_FORBIDDEN } from './phrases.js';
import { SECOND_WORDS } from './phrases-in-other-languages.js';

/** The patterns that begin with one word or mark and need the same. */
interface PatternGroup {
  readonly needs: Needs;
  /** Matches where one of the patterns does: one test of it takes the place of several. */
  readonly anyOf: RegExp;
  readonly patterns: readonly InjectionPattern[];
}

const FIRST_WORDS = [...new Set(INJECTION_PATTERNS.flatMap(({ firstWords }) => firstWords))];

const GROUPS: ReadonlyMap<string, readonly PatternGroup[]> = new Map(FIRST_WORDS.map((word) => [word, groupsOf(word)]));

for (const [word, groups] of GROUPS) {
  if (/^\w/.test(word)) for (const { needs } of groups) registerFirst(word, needs);
}

for (const word of SECOND_WORDS) registerNeeded(word, FOREIGN);

const IS_PERMITTED = new RegExp(NOT_FORBIDDEN, 'iy');

const EXCLAMATION_MARK = '!'.charCodeAt(0);

/** What the phrases have behind the marks that are commonest in data and programs: most have something else there. */
const BEHIND_MARKS: ReadonlyMap<string, Uint8Array> = new Map([
  ['(', codesOf('sdanerb/')],
  ['[', codesOf('sdaiutnerb/')],
  ['{', codesOf('{')],
]);

const UNDERSCORE = '_'.charCodeAt(0);

/** Marks that count once when they are repeated: the pattern takes the others. */
const REPEATABLE = '#=-';

/**
 * Finds phrases that are known from prompt injections, each with the name of its pattern.
 *
 * The marks are those that phrases begin with, and the candidates are those of the part between two positions.
 */
export function findInjectionPhrases(
  text: string,
  marks: Iterable<number>,
  from: number,
  { first, long }: CandidateWords,
  found: MatchHandler,
): void {
  let next = 0;
  const tryUpTo = (position: number): void => {
    for (; next < first.length && first[next]!.start < position; next += 1) tryWord(text, first[next]!, found);
  };
  for (const mark of marks) {
    if (mark < from) continue;
    tryUpTo(mark);
    const character = text.charAt(mark);
    const isRepetition = mark > from && REPEATABLE.includes(character) && text.charAt(mark - 1) === character;
    if (isRepetition || !mayBegin(text, mark, character)) continue;
    for (const group of GROUPS.get(character)!) tryGroup(group, text, mark, found);
  }
  tryUpTo(Infinity);
  for (const { start, end } of long) {
    for (const name of joinedNamesIn(text.slice(start, end))) found(start, end, name);
  }
}

/** Whether one may begin at a mark. The name of a picture may begin with anything. */
function mayBegin(text: string, mark: number, character: string): boolean {
  const behind = BEHIND_MARKS.get(character);
  return behind?.[text.charCodeAt(mark + 1)] !== 0 || text.charCodeAt(mark - 1) === EXCLAMATION_MARK;
}

/** Finds the same in a whole text. @param words its words, which are looked for if they are not known */
export function findPhrasesIn(text: string, found: MatchHandler, words: AsciiWords = asciiWordsOf(text)): void {
  findInjectionPhrases(text, words.marks, 0, candidatesAmong(words, 0), found);
}

/** The names of the patterns that occur in a short text. */
export function injectionNamesIn(text: string): Set<string> {
  const names = new Set<string>();
  findPhrasesIn(text, (_start, _end, name) => names.add(name!));
  return names;
}

function tryWord(text: string, { start, end, near, far }: FirstWord, found: MatchHandler): void {
  // An underscore joins a word to another one.
  if (text.charCodeAt(start - 1) === UNDERSCORE || text.charCodeAt(end) === UNDERSCORE) return;
  const groups = GROUPS.get(text.slice(start, end).toLowerCase());
  if (groups === undefined) return;
  for (const group of groups) if (areMet(group.needs, near, far)) tryGroup(group, text, start, found);
}

function tryGroup({ patterns, anyOf }: PatternGroup, text: string, start: number, found: MatchHandler): void {
  if (!matchesAt(anyOf, text, start)) return;
  for (const { name, expression, isAskedFor } of patterns) {
    if (!matchesAt(expression, text, start)) continue;
    if (!isAskedFor || matchesAt(IS_PERMITTED, text, start)) found(start, expression.lastIndex, name);
  }
}

function groupsOf(word: string): PatternGroup[] {
  const patterns = new Map<string, InjectionPattern[]>();
  for (const pattern of INJECTION_PATTERNS) {
    if (!pattern.firstWords.includes(word)) continue;
    const key = `${pattern.expression.flags} ${JSON.stringify(pattern.needs)}`;
    patterns.set(key, [...(patterns.get(key) ?? []), pattern]);
  }
  return Array.from(patterns.values(), (group) => {
    const [{ needs, expression }] = group as [InjectionPattern];
    const sources = group.map(({ expression: { source } }) => `(?:${source})`);
    return { needs, anyOf: new RegExp(sources.join('|'), expression.flags), patterns: group };
  });
}

/** White space and some characters of either case, by code units of ASCII. */
function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of ` \t\n\r\v\f${characters}${characters.toUpperCase()}`) codes[character.charCodeAt(0)] = 1;
  return codes;
}
