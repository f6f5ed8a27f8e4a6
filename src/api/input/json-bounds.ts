/** Bounds of a JSON text. */
export interface JsonBounds {
  /** The maximum nesting depth of lists and objects. */
  readonly depth: number;
  /** The maximum number of values, including lists and objects. */
  readonly values: number;
}

/** The bounds of a request body: far beyond what any operation needs. */
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
 * Determines which bound a JSON text exceeds, in one pass over its bytes before parsing: a parser would first create all
 * values, which takes a hundred times as long. Whether the text is valid JSON is left to the parser.
 *
 * @param bytes UTF-8, in which no byte of a multi-byte character equals a structural character of JSON
 * @returns undefined when the text is within the bounds, or as far as it is valid JSON
 */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  // Each list or object that is not empty has one value more than commas.
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

/** The index of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
