import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './json-characters.js';

/** Bounds of a JSON text. */
export interface JsonBounds {
  /** The maximum nesting depth of lists and objects. */
  readonly depth: number;
  /** The maximum number of values, including lists and objects. */
  readonly values: number;
}

/** The bounds of a request body: far beyond what any operation needs. */
export const BODY_BOUNDS: JsonBounds = { depth: 64, values: 50_000 };

const SPACE = 0x20;

/**
 * Determines which bound a JSON text exceeds, in one pass over its bytes before parsing: a parser would first create all
 * values, which takes a hundred times as long. Whether the text is valid JSON is left to the parser.
 *
 * @param bytes UTF-8, in which no byte of a multi-byte character equals a structural character of JSON
 * @returns undefined when the text is within the bounds, or as far as it is valid JSON
 */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  return new BoundsCheck(bytes, bounds).check(bytes.length);
}

/**
 * Counts the values of a JSON text as {@link exceededBound} does.
 *
 * @returns how many there are, or the bound that they exceed
 */
export function valuesWithin(bytes: Uint8Array, bounds: JsonBounds): number | keyof JsonBounds {
  const check = new BoundsCheck(bytes, bounds);
  return check.check(bytes.length) ?? check.values;
}

/** Parses the JSON text of another party. @returns undefined for what exceeds a bound, and for what is no JSON */
export function parsedWithin(text: string, bounds: JsonBounds): unknown {
  return exceededBound(Buffer.from(text), bounds) === undefined ? parsedIfJson(text) : undefined;
}

/** Parses a text whose bounds are known or do not matter. @returns undefined for what is no JSON */
export function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Determines the same as {@link exceededBound}, a part of the text at a time. */
export class BoundsCheck {
  private position = 0;
  private isInString = false;
  private depth = 0;
  /** The values so far. Each list or object that is not empty has one more than commas. */
  values = 1;
  private isJustOpened = false;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly bounds: JsonBounds,
  ) {}

  /** Goes on from where it was. @param end a position in the text @returns the bound that is exceeded before it */
  check(end: number): keyof JsonBounds | undefined {
    const { bytes, bounds } = this;
    while (this.position < end) {
      if (this.isInString) {
        this.passString(end);
        continue;
      }
      const byte = bytes[this.position]!;
      this.position += 1;
      if (byte <= SPACE) continue;
      if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
        this.depth -= 1;
        this.isJustOpened = false;
        continue;
      }
      if (this.isJustOpened) this.values += 1;
      this.isJustOpened = false;
      if (byte === QUOTE) this.isInString = true;
      else if (byte === COMMA) this.values += 1;
      else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
        this.depth += 1;
        this.isJustOpened = true;
        if (this.depth > bounds.depth) return 'depth';
      }
      if (this.values > bounds.values) return 'values';
    }
    return undefined;
  }

  /** Goes behind the string in which it is, or to a position in it. */
  private passString(end: number): void {
    const { bytes } = this;
    let { position } = this;
    while (position < end && bytes[position] !== QUOTE) position += bytes[position] === BACKSLASH ? 2 : 1;
    this.isInString = position >= end;
    this.position = this.isInString ? position : position + 1;
  }
}
