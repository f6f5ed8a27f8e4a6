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
  const counted = valuesWithin(bytes, bounds);
  return typeof counted === 'number' ? undefined : counted;
}

/**
 * Counts the values of a JSON text as {@link exceededBound} does.
 *
 * @returns how many there are, or the bound that they exceed
 */
export function valuesWithin(bytes: Uint8Array, bounds: JsonBounds): number | keyof JsonBounds {
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
  return values;
}

/** Parses the JSON text of another party. @returns undefined for what exceeds a bound, and for what is no JSON */
export function parsedWithin(text: string, bounds: JsonBounds): unknown {
  if (exceededBound(Buffer.from(text), bounds) !== undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The index of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
}
