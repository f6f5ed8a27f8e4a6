import { PHRASE_PARTS } from './phrase-parts.js';

/**
 * Phrases by the names of their patterns, one a line; a line that is indented further goes on with the one above it, behind a space
 * unless it begins with `|`. A phrase is an expression that begins with its first words and in which
 * - a space stands for white space, commas and asterisks, as between two words,
 * - an apostrophe stands for the straight or the curved one,
 * - `{2 words}` stands for up to two words, with the space behind them,
 * - `{gap 40}` stands for a space and anything else up to forty characters of one line,
 * - any other name in braces stands for a part (`phrase-parts.ts`); lines that begin with `# ` say what a part is.
 *
 * All of it is bounded, so that an expression looks at a bounded number of characters wherever it is tried.
 */
export type PhraseTexts = Readonly<Record<string, string>>;

/** An expression that is tried where one of its first words stands. */
export interface Phrase {
  readonly name: string;
  /** In lower case. One of them begins each match. */
  readonly firstWords: readonly string[];
  /** Has the flag y. */
  readonly expression: RegExp;
}

const SPACE = '[\\s,*]{1,8}';

/** A character class, which is left as it is, or what stands for something else. */
const NOTATION = /\[(?:\\.|[^\]\\])*\]|\{([a-z][a-z ]*|\d+ words|gap \d+)\}|\\.|'| \?| /g;

/** The word or mark that a phrase begins with, or several words. */
const FIRST = /^(?:(?:[A-Za-z]+|\{[a-z ]+\})(?:\|(?:[a-z]+|\{[a-z ]+\}))*|\\?[<{[(#=-])/;

/**
 * Reads phrases.
 *
 * @param flags of the expressions: one of them is y
 * @throws Error for the name of a part that there is not
 */
export function phrasesOf(texts: PhraseTexts, flags = 'iy'): Phrase[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    linesOf(text).map((line) => {
      const [first] = FIRST.exec(line)!;
      const firstWords = expanded(first);
      const expression = new RegExp(`${before(first)}(?:${firstWords})${expanded(line.slice(first.length))}`, flags);
      return { name, firstWords: firstWords.toLowerCase().replace('\\', '').split('|'), expression };
    }),
  );
}

/** Marks have no word before them: a type argument in a program, as in `List<System>`, is none. */
function before(first: string): string {
  if (first === '<') return '(?<!\\w)';
  return /\w/.test(first) ? '\\b' : '';
}

/** The lines of a text, each with those that go on with it, without what only says what they are. */
function linesOf(text: string): string[] {
  return text
    .replace(/\n {6,}(?=\|)/g, '')
    .replace(/\n {6,}/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('# '));
}

function expanded(notation: string): string {
  return notation.replace(NOTATION, (written, name: string | undefined) => {
    if (written === "'") return "['’]";
    if (written === ' ') return SPACE;
    if (written === ' ?') return `(?:${SPACE})?`;
    return name === undefined ? written : meaningOf(name);
  });
}

const PARTS: ReadonlyMap<string, string> = new Map(
  linesOf(PHRASE_PARTS).map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]),
);

function meaningOf(name: string): string {
  const [, most] = /(\d+)/.exec(name) ?? [];
  if (name.endsWith(' words')) return `(?:[\\w'’"-]{1,24}[\\s,:*]{1,8}){0,${most}}`;
  if (most !== undefined) return `[\\s,.;:]{1,3}(?:[^\\n]{0,${most}}?[\\s,.;:("“-])??`;
  const part = PARTS.get(name);
  if (part === undefined) throw new Error(`There is no part of phrases with the name ${name}`);
  return expanded(part);
}
