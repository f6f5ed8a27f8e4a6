import type { MatchHandler } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { INJECTION_PATTERNS, type InjectionPattern } from './injection-patterns.js';

const LONGEST_FIRST_WORD = 24;

/** The patterns that begin with one word or mark. */
interface PatternGroup {
  readonly patterns: readonly InjectionPattern[];
  /** Expressions of which one matches where a pattern does: one test of these takes the place of several. */
  readonly anyOf: readonly RegExp[];
  /** Whether none matches behind a mark that stands alone. */
  readonly isRepeated: boolean;
}

const FIRST_WORDS = [...new Set(INJECTION_PATTERNS.flatMap(({ firstWords }) => firstWords))];

const GROUPS: ReadonlyMap<string, PatternGroup> = new Map(
  FIRST_WORDS.map((word) => [
    word,
    groupOf(
      word,
      INJECTION_PATTERNS.filter(({ firstWords }) => firstWords.includes(word)),
    ),
  ]),
);

/** Whole words, and marks. A mark that is repeated counts once: its pattern takes the others. */
const ANY_FIRST_WORD = new RegExp(
  `\\b(?:${FIRST_WORDS.filter((word) => /^\w/.test(word)).join('|')})\\b|<|\\[|\\(|\\{|#+|=+|-+`,
  'gi',
);

/** What sets the small letters of ASCII apart from the capital ones. */
const SMALL = 0x20;

/** By the first two characters of words, in lower case, the lengths of the first words that begin with them, each as a bit. */
const LENGTHS = new Uint32Array(1 << 14);
for (const word of FIRST_WORDS) LENGTHS[pairOf(word, 0)]! |= 1 << word.length;

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
  const { starts, ends, marks } = words;
  let next = 0;
  const findUpTo = (position: number): void => {
    for (; next < starts.length && starts[next]! < position; next += 1) {
      const [start, end] = [starts[next]!, ends[next]!];
      if (start >= from && isFirstWord(text, start, end)) findAt(text, start, text.slice(start, end), found);
    }
  };
  for (const mark of marks) {
    if (mark < from) continue;
    findUpTo(mark);
    const character = text.charAt(mark);
    const isRepetition = mark > from && REPEATABLE.includes(character) && text.charAt(mark - 1) === character;
    if (!isRepetition) findAt(text, mark, character, found);
  }
  findUpTo(Infinity);
}

/** Nearly all words are left out by this. */
function isFirstWord(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < 2 || length > LONGEST_FIRST_WORD || (LENGTHS[pairOf(text, start)]! & (1 << length)) === 0) return false;
  return text.charCodeAt(start - 1) !== UNDERSCORE && text.charCodeAt(end) !== UNDERSCORE;
}

function pairOf(text: string, start: number): number {
  return ((text.charCodeAt(start) | SMALL) << 7) | (text.charCodeAt(start + 1) | SMALL);
}

function findBehindFirstWords({ text, to }: TextPart, from: number, found: MatchHandler): void {
  // One character before the part decides whether a word begins with it.
  const before = Math.min(from, 1);
  const part = text.slice(from - before, to + LONGEST_FIRST_WORD);
  ANY_FIRST_WORD.lastIndex = before;
  for (let match = ANY_FIRST_WORD.exec(part); match !== null; match = ANY_FIRST_WORD.exec(part)) {
    const start = from - before + match.index;
    if (start >= to) return;
    findAt(text, start, match[0], found);
  }
}

/** Tries the patterns that begin with a word, or with a mark that may be repeated. */
function findAt(text: string, start: number, first: string, found: MatchHandler): void {
  const group = GROUPS.get(first.toLowerCase()) ?? GROUPS.get(first.charAt(0));
  if (group === undefined || (group.isRepeated && text.charAt(start + 1) !== first.charAt(0))) return;
  if (!group.anyOf.some((expression) => matchesAt(expression, text, start))) return;
  for (const { name, expression } of group.patterns) {
    if (matchesAt(expression, text, start)) found(start, expression.lastIndex, name);
  }
}

/** @param expression has the flag y; where it matches, its lastIndex is the end of the match then */
function matchesAt(expression: RegExp, text: string, start: number): boolean {
  expression.lastIndex = start;
  return expression.test(text);
}

function groupOf(word: string, patterns: readonly InjectionPattern[]): PatternGroup {
  const expressions = patterns.map(({ expression }) => expression);
  const flags = [...new Set(expressions.map((expression) => expression.flags))];
  const anyOf = flags.map((one) => {
    const sources = expressions.filter((expression) => expression.flags === one).map(({ source }) => `(?:${source})`);
    return new RegExp(sources.join('|'), one);
  });
  return { patterns, anyOf, isRepeated: expressions.every(({ source }) => source.startsWith(`\\${word}{2,`)) };
}
