import { parsedIfJson } from '../../../../http/input/json-bounds.js';

/** Longest text that is repaired, in characters: about as long as the longest answers of models. Repairing it holds the event loop. */
const MAXIMUM_LENGTH = 524_288;

/** The deepest nesting of a repaired document. */
const MAXIMUM_DEPTH = 200;

/** The maximum number of values of a repaired document, lists and objects included. */
const MAXIMUM_VALUES = 50_000;

/** The literals of JSON, and those of Python in their place. */
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
};

/** The opening line of a fenced code block. */
const FENCE = /```[a-zA-Z0-9]*\n/;

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const NAME = /[A-Za-z_$][\w$]*/y;

const SPACE = /\s*/y;

/** What cannot be read even leniently. */
class Unreadable extends Error {}

/**
 * The JSON document in a text that a model meant to be one (docs/interface/inference.md#plugins): without marks of code and words around
 * it, with commas too many or too few, names and texts in other quotes or none, line breaks in texts, and brackets that are not closed.
 *
 * @returns undefined for a text without an object or a list, and for a text that is already JSON or very long
 */
export function healedJson(text: string): string | undefined {
  if (text.length > MAXIMUM_LENGTH || parsedIfJson(text) !== undefined) return undefined;
  const fence = FENCE.exec(text);
  const begin = fence === null ? 0 : fence.index + fence[0].length;
  const start = text.slice(begin).search(/[[{]/);
  if (start === -1) return undefined;
  try {
    return JSON.stringify(new LenientParser(text, begin + start).value(0));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Reads one value from a text, each character of it once. */
class LenientParser {
  private values = 0;

  constructor(
    private readonly text: string,
    private place: number,
  ) {}

  value(depth: number): unknown {
    this.values += 1;
    if (depth > MAXIMUM_DEPTH || this.values > MAXIMUM_VALUES) throw new Unreadable();
    this.take(SPACE);
    const character = this.text[this.place];
    if (character === '{') return this.object(depth);
    if (character === '[') return this.list(depth);
    if (character === '"' || character === "'") return this.quoted(character);
    const number = this.take(NUMBER);
    if (number !== '') return Number(number);
    const word = this.take(NAME);
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    throw new Unreadable();
  }

  private object(depth: number): object {
    const entries: [string, unknown][] = [];
    this.place += 1;
    while (!this.isClosed('}')) {
      const quote = this.text[this.place];
      const name = quote === '"' || quote === "'" ? this.quoted(quote) : this.name();
      this.take(SPACE);
      if (this.text[this.place] !== ':') throw new Unreadable();
      this.place += 1;
      entries.push([name, this.value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  private name(): string {
    const name = this.take(NAME);
    if (name === '') throw new Unreadable();
    return name;
  }

  private list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.place += 1;
    while (!this.isClosed(']')) items.push(this.value(depth + 1));
    return items;
  }

  /** Goes to what comes next in a list or an object. The end of the text closes it as well. */
  private isClosed(bracket: string): boolean {
    this.take(SPACE);
    while (this.text[this.place] === ',') {
      this.place += 1;
      this.take(SPACE);
    }
    if (this.place >= this.text.length) return true;
    if (this.text[this.place] !== bracket) return false;
    this.place += 1;
    return true;
  }

  private quoted(quote: string): string {
    const begin = this.place + 1;
    let end = begin;
    while (end < this.text.length && this.text[end] !== quote) end += this.text[end] === '\\' ? 2 : 1;
    // A text that nothing ends may have lost any part of what it meant.
    if (end >= this.text.length) throw new Unreadable();
    this.place = end + 1;
    const inner = this.text.slice(begin, end);
    const escaped = inner.replaceAll(/\\[^]|["\p{Cc}]/gu, (found) => {
      if (found.length === 1) return JSON.stringify(found).slice(1, -1);
      return /\\["\\/bfnrtu]/.test(found) ? found : JSON.stringify(found.slice(1)).slice(1, -1);
    });
    try {
      return JSON.parse(`"${escaped}"`) as string;
    } catch {
      throw new Unreadable();
    }
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.place += found.length;
    return found;
  }
}
