import type { Span } from '../../../../packages/content-detectors/index.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** By character: 1 for those that a number begins with, and those that it consists of. */
const BEGINS_NUMBER = flagsOf('-0123456789');
const CONTINUES_NUMBER = flagsOf('-0123456789.eE+');

/** Between two values. */
const NOWHERE = -1;

/** What is kept of a value: where it begins and ends, and where it ends in the text of all values. */
const NUMBERS = 3;

/** How many values there is room for at first. */
const FIRST_ROOM = 64;

/**
 * Where the names, strings and numbers of a JSON text stand, and where they stand in the text that consists of nothing else. Only
 * numbers are kept of each: an object would take many times the memory of a short value.
 */
export class ValuePlaces {
  /** How many names, strings and numbers have been found. */
  count = 0;
  private position = 0;
  /** The start of the name, string or number at the position. */
  private begin = NOWHERE;
  private places = new Int32Array(NUMBERS * FIRST_ROOM);
  /** What they say, until it is put together. */
  private texts: string[] = [];
  private length = 0;

  /** @param source valid JSON */
  constructor(private readonly source: string) {}

  get isAtEnd(): boolean {
    return this.position >= this.source.length;
  }

  /** Reads on from where it stopped last time. @param characters how many are looked at */
  read(characters: number): void {
    const { source } = this;
    const stop = Math.min(this.position + characters, source.length);
    let { position } = this;
    for (; position < stop; position += 1) {
      const code = source.charCodeAt(position);
      if (this.begin === NOWHERE) {
        if (code === QUOTE || BEGINS_NUMBER[code] === 1) this.begin = position;
      } else if (source.charCodeAt(this.begin) !== QUOTE) {
        if (CONTINUES_NUMBER[code] !== 1) this.end(position);
      } else if (code === BACKSLASH) position += 1;
      else if (code === QUOTE) this.end(position + 1);
    }
    this.position = position;
    // A number may be all that there is.
    if (this.isAtEnd && this.begin !== NOWHERE) this.end(source.length);
  }

  /** All values, each on a line of its own. It is put together once, when all has been read. */
  joined(): string {
    const text = this.texts.join('\n');
    this.texts = [];
    return text;
  }

  /** The place of a value, with the quotation marks of a string. */
  sourceOf(index: number): Span {
    return { start: this.places[NUMBERS * index]!, end: this.places[NUMBERS * index + 1]! };
  }

  /** The place of a value in the text of all values, without quotation marks. */
  scannedOf(index: number): Span {
    const start = index === 0 ? 0 : this.places[NUMBERS * index - 1]! + 1;
    return { start, end: this.places[NUMBERS * index + 2]! };
  }

  /** The first value that ends after an offset in the text of all values (binary search). */
  reaching(offset: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.scannedOf(middle).end > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private end(end: number): void {
    const text = saidBy(this.source.slice(this.begin, end));
    this.texts.push(text);
    this.length += text.length;
    if (NUMBERS * this.count === this.places.length) {
      const larger = new Int32Array(2 * this.places.length);
      larger.set(this.places);
      this.places = larger;
    }
    this.places.set([this.begin, end, this.length], NUMBERS * this.count);
    // The line break behind it.
    this.length += 1;
    this.count += 1;
    this.begin = NOWHERE;
  }
}

/** What a value says: a string without its escapes, a number as it is written. */
export function saidBy(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.includes('\\') ? (JSON.parse(value) as string) : value.slice(1, -1);
}

function flagsOf(characters: string): Uint8Array {
  const flags = new Uint8Array(128);
  for (const character of characters) flags[character.charCodeAt(0)] = 1;
  return flags;
}
