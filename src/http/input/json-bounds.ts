/** How much a JSON text may hold. */
export interface JsonBounds {
  /** How many lists and objects may stand inside each other. */
  readonly depth: number;
  /** How many values there may be in all, lists and objects included. */
  readonly values: number;
}

/** The bounds of a request's body: far beyond any document of the interface. */
export const BODY_BOUNDS: JsonBounds = { depth: 64, values: 50_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Which bound a JSON text exceeds, found by one walk over its bytes and before anything is made of it: a parser makes all
 * values first, which takes a hundred times as long. Whether the text is JSON at all is left to the parser.
 *
 * @param bytes UTF-8, in which no byte of a longer character looks like one of JSON's own
 * @returns undefined when the text stays within the bounds, or is no JSON up to where it does
 */
export function excessOf(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  // Each comma stands between two values, and each list or object that is not empty has one more than it has commas.
  let values = 1;
  let isJustOpened = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte <= SPACE) continue;
    if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      depth -= 1;
      isJustOpened = false;
      continue;
    }
    if (isJustOpened) values += 1;
    isJustOpened = false;
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === COMMA) values += 1;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      depth += 1;
      isJustOpened = true;
      if (depth > bounds.depth) return 'depth';
    }
    if (values > bounds.values) return 'values';
  }
  return undefined;
}

/** Where the string that begins at `start` has its closing quote; the end of the text when it has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
