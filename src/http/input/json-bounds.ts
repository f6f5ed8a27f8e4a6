/** Bounds of a JSON text. */
export interface JsonBounds {
  /** The maximum nesting depth of lists and objects. */
  readonly depth: number;
  /** The maximum number of values, including lists and objects. */
  readonly values: number;
}

/** Bounds of the JSON of another party, which may hold many values: some take much longer to parse than others. */
export interface DocumentBounds extends JsonBounds {
  /** The maximum number of lists, objects and texts, names of fields included: each takes several times as long as a number. */
  readonly parts: number;
  /** The maximum number of different names and short texts: V8 keeps each of them once, and looks it up. */
  readonly different: number;
  /** The maximum number of fields of one object: each of a larger one takes several times as long to copy. */
  readonly fields: number;
}

/** What a JSON text holds. */
export interface JsonExtent {
  /** Lists and objects included. */
  readonly values: number;
  readonly containers: number;
  readonly fields: number;
  /** Names of fields included. */
  readonly texts: number;
  /** Of all texts, as they are written, in code units. */
  readonly textLength: number;
}

/** The bounds of a request body: far beyond what any operation needs. */
export const BODY_BOUNDS: JsonBounds = { depth: 64, values: 50_000 };

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** By code unit: 1 for those outside of texts that say where values begin and end. */
const STRUCTURE = new Uint8Array(CLOSING_BRACE + 1);
for (const code of [QUOTE, COMMA, COLON, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE]) {
  STRUCTURE[code] = 1;
}

/** The longest text that V8 keeps once however often JSON.parse reads it, in code units. Of names it keeps all once. */
const SHORT_TEXT = 10;

/**
 * The bytes of the heap that V8 needs for each part of a parsed document besides the characters of its texts: above the usual cost
 * of a part, and close to the highest cost that a hostile document can cause.
 */
const WEIGHTS = { text: 24, container: 56, field: 16, value: 12 } as const;

/**
 * Determines what a JSON text holds, in one pass before parsing: a parser would first create all values, which takes a hundred times as
 * long. Whether the text is valid JSON is left to the parser.
 *
 * @returns the first bound that the text exceeds; else its extent, as far as it is valid JSON
 */
export function extentWithin<Bounds extends JsonBounds>(
  text: string,
  bounds: Bounds,
): JsonExtent | (keyof Bounds & keyof DocumentBounds) {
  const { length } = text;
  const { depth: deepest, values: mostValues, ...further }: JsonBounds & Partial<DocumentBounds> = bounds;
  const { parts: mostParts = Infinity, different: mostDifferent = Infinity, fields: mostFields = Infinity } = further;
  const exceeded = (bound: keyof DocumentBounds): keyof Bounds & keyof DocumentBounds =>
    bound as keyof Bounds & typeof bound;
  // A text cannot exceed what it is shorter than.
  const seen = length > mostDifferent ? new Set<string>() : undefined;
  const fieldsByDepth = length > mostFields ? new Int32Array(deepest + 1) : undefined;
  let [depth, values, containers, fields, texts, textLength] = [0, 1, 0, 0, 0, 0];
  let [textStart, textEnd] = [0, 0];
  for (let position = 0; position < length; position += 1) {
    const code = text.charCodeAt(position);
    if (code > CLOSING_BRACE || STRUCTURE[code] === 0) continue;
    if (code === QUOTE) {
      textStart = position + 1;
      textEnd = endOfText(text, textStart);
      position = textEnd;
      texts += 1;
      textLength += textEnd - textStart;
      if (seen !== undefined && textEnd - textStart <= SHORT_TEXT) seen.add(text.slice(textStart, textEnd));
    } else if (code === COMMA) {
      values += 1;
    } else if (code === COLON) {
      fields += 1;
      if (seen !== undefined && textEnd - textStart > SHORT_TEXT) seen.add(text.slice(textStart, textEnd));
      if (fieldsByDepth !== undefined && (fieldsByDepth[depth]! += 1) > mostFields) return exceeded('fields');
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) {
      depth -= 1;
      continue;
    } else {
      depth += 1;
      containers += 1;
      if (depth > deepest) return exceeded('depth');
      if (fieldsByDepth !== undefined) fieldsByDepth[depth] = 0;
      // A list or an object that is not empty has one value more than commas.
      if (!isClosedAt(text, position + 1)) values += 1;
    }
    if (values > mostValues) return exceeded('values');
    if (containers + texts > mostParts) return exceeded('parts');
    if (seen !== undefined && seen.size > mostDifferent) return exceeded('different');
  }
  if (values > mostValues) return exceeded('values');
  return { values, containers, fields, texts, textLength };
}

/** Determines which bound a JSON text exceeds. @returns undefined when it is within the bounds, or as far as it is valid JSON */
export function exceededBound(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  const extent = extentWithin(text, bounds);
  return typeof extent === 'string' ? extent : undefined;
}

/** Parses the JSON text of another party. @returns undefined for what exceeds a bound, and for what is no JSON */
export function parsedWithin(text: string, bounds: JsonBounds): unknown {
  return exceededBound(text, bounds) === undefined ? parsedIfJson(text) : undefined;
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

/** The bytes that V8 needs for each character of the texts of a document: 1, or 2 where one may be beyond Latin-1. */
export function characterBytes(text: string): 1 | 2 {
  return Buffer.byteLength(text) === text.length && !text.includes('\\u') ? 1 : 2;
}

/** Estimates the bytes of the heap that a document takes when it is parsed, without its text. */
export function heapBytesOf(text: string, { values, containers, fields, texts, textLength }: JsonExtent): number {
  return (
    textLength * characterBytes(text) +
    texts * WEIGHTS.text +
    containers * WEIGHTS.container +
    fields * WEIGHTS.field +
    values * WEIGHTS.value
  );
}

/** The position of the closing quote of a text; the end of the JSON if there is none. @param start of what stands between the quotes */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}

/** Whether what begins before a position holds nothing. */
function isClosedAt(json: string, position: number): boolean {
  let next = position;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  const code = json.charCodeAt(next);
  return next >= json.length || code === CLOSING_BRACKET || code === CLOSING_BRACE;
}
