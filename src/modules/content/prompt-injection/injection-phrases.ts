import type { MatchHandler } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { edgesOfWord, PAIRS, smallBeginningOf } from '../engine/word-edges.js';
import type { Words } from '../engine/words.js';
import { INJECTION_PATTERNS, type InjectionPattern } from './injection-patterns.js';

const MAXIMUM_FIRST_WORD_LENGTH = 24;

/** The patterns that begin with one word or mark. */
interface PatternGroup {
  readonly patterns: readonly InjectionPattern[];
  /** Expressions of which one matches where a pattern does: one test of these takes the place of several. */
  readonly anyOf: readonly RegExp[];
}

/** Where words are looked at, and who takes what begins with them. */
interface WordSearch {
  readonly text: string;
  readonly words: Words;
  readonly from: number;
  readonly found: MatchHandler;
}

const FIRST_WORDS = [...new Set(INJECTION_PATTERNS.flatMap(({ firstWords }) => firstWords))];

const GROUPS: ReadonlyMap<string, PatternGroup> = new Map(
  FIRST_WORDS.map((word) => [word, groupOf(INJECTION_PATTERNS.filter(({ firstWords }) => firstWords.includes(word)))]),
);

/** Whole words, and marks as a part of a text lists them. A mark that is repeated counts once: its pattern takes the others. */
const ANY_FIRST_WORD = new RegExp(
  `\\b(?:${FIRST_WORDS.filter((word) => /^\w/.test(word)).join('|')})\\b|<|\\[|\\(|\\{|#+|={2,}|-{2,}`,
  'gi',
);

/** By the first two characters of words, in lower case, the lengths of the first words that begin with them, each as a bit. */
const LENGTHS = new Uint32Array(PAIRS);
for (const word of FIRST_WORDS) LENGTHS[smallBeginningOf(edgesOfWord(word))]! |= 1 << word.length;

const UNDERSCORE = '_'.charCodeAt(0);

/** Marks that count once when they are repeated. */
const REPEATABLE = '#=-';

/** Finds phrases that are known from prompt injections and begin in a part of a text, each with the name of its pattern. */
export function findInjectionPhrases(part: TextPart, from: number, found: MatchHandler): void {
  if (part.words.isAscii) findBehindWords(part, from, found);
  else findBehindFirstWords(part, from, found);
}

/** The names of the patterns that occur in a short text. */
export function injectionNamesIn(text: string): Set<string> {
  const names = new Set<string>();
  findInjectionPhrases(new TextPart(text, 0, text.length), 0, (_start, _end, name) => names.add(name!));
  return names;
}

/** Looks at the words and marks that are known already. For the expressions, words end at letters beyond ASCII. */
function findBehindWords({ text, words }: TextPart, from: number, found: MatchHandler): void {
  const { marks } = words;
  const search: WordSearch = { text, words, from, found };
  let next = 0;
  for (const mark of marks) {
    if (mark < from) continue;
    next = findUpTo(mark, next, search);
    const character = text.charAt(mark);
    const isRepetition = mark > from && REPEATABLE.includes(character) && text.charAt(mark - 1) === character;
    if (!isRepetition) tryGroup(GROUPS.get(character)!, text, mark, found);
  }
  findUpTo(Infinity, next, search);
}

/** Looks at words from one on. @returns the first one that begins behind a position */
function findUpTo(position: number, first: number, { text, words, from, found }: WordSearch): number {
  const { starts, ends, edges } = words;
  let next = first;
  for (; next < starts.length && starts[next]! < position; next += 1) {
    const start = starts[next]!;
    const end = ends[next]!;
    if (!canBeFirst(edges[next]!, end - start) || start < from || isJoined(text, start, end)) continue;
    findAt(text, start, text.slice(start, end), found);
  }
  return next;
}

/** Nearly all words are left out by this. */
function canBeFirst(edges: number, length: number): boolean {
  return length <= MAXIMUM_FIRST_WORD_LENGTH && (LENGTHS[smallBeginningOf(edges)]! & (1 << length)) !== 0;
}

/** Whether an underscore joins a word to another one. */
function isJoined(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start - 1) === UNDERSCORE || text.charCodeAt(end) === UNDERSCORE;
}

function findBehindFirstWords({ text, to }: TextPart, from: number, found: MatchHandler): void {
  // One character before the part decides whether a word begins with it.
  const before = Math.min(from, 1);
  const part = text.slice(from - before, to + MAXIMUM_FIRST_WORD_LENGTH);
  ANY_FIRST_WORD.lastIndex = before;
  for (let match = ANY_FIRST_WORD.exec(part); match !== null; match = ANY_FIRST_WORD.exec(part)) {
    const start = from - before + match.index;
    if (start >= to) return;
    findAt(text, start, match[0], found);
  }
}

/** Tries the patterns that begin with a word, or with a mark that is perhaps repeated. */
function findAt(text: string, start: number, first: string, found: MatchHandler): void {
  const group = GROUPS.get(first.toLowerCase()) ?? GROUPS.get(first.charAt(0));
  if (group !== undefined) tryGroup(group, text, start, found);
}

function tryGroup({ patterns, anyOf }: PatternGroup, text: string, start: number, found: MatchHandler): void {
  if (!anyOf.some((expression) => matchesAt(expression, text, start))) return;
  for (const { name, expression } of patterns) {
    if (matchesAt(expression, text, start)) found(start, expression.lastIndex, name);
  }
}

/** @param expression has the flag y; where it matches, its lastIndex is the end of the match then */
function matchesAt(expression: RegExp, text: string, start: number): boolean {
  expression.lastIndex = start;
  return expression.test(text);
}

function groupOf(patterns: readonly InjectionPattern[]): PatternGroup {
  const expressions = patterns.map(({ expression }) => expression);
  const flags = [...new Set(expressions.map((expression) => expression.flags))];
  const anyOf = flags.map((one) => {
    const sources = expressions.filter((expression) => expression.flags === one).map(({ source }) => `(?:${source})`);
    return new RegExp(sources.join('|'), one);
  });
  return { patterns, anyOf };
}
