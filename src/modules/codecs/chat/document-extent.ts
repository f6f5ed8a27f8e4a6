import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '../../../api/input/json-characters.js';
import { type ExtentBounds, JsonExtent } from '../../../api/input/json-extent.js';

/** How many lists and objects within each other a document has at most: writing one that nests deeper would overflow the stack. */
export const MAXIMUM_NESTING = 200;

/** How many lists, objects and fields a document has at most: each takes many times as long, and as much memory, as its text. */
export const MAXIMUM_PARTS = 2_000_000;

/** The maximum number of parts of an event of a stream: it has some tokens, a whole answer can have the probabilities of many. */
export const MAXIMUM_PARTS_OF_EVENT = 100_000;

/** How many fields one object has at most: each of a larger one takes several times as long to copy, and answers need some dozens. */
export const MAXIMUM_FIELDS = 20_000;

/** Characters of the shortest document that nests too deep. */
const MINIMUM_LENGTH_TO_READ = 2 * MAXIMUM_NESTING;

/** The bounds of a document that another party wrote. */
export const DOCUMENT_BOUNDS: ExtentBounds = { depth: MAXIMUM_NESTING, parts: MAXIMUM_PARTS, fields: MAXIMUM_FIELDS };

/**
 * Whether a document that another party wrote has so few parts that it can be parsed and written again
 * (docs/interface/providers.md#calls). Whether it is JSON at all is left to the parser.
 *
 * @param mostParts how many lists, objects and fields it may have
 */
export function isOfParsableExtent(text: string, mostParts = MAXIMUM_PARTS): boolean {
  return text.length <= MINIMUM_LENGTH_TO_READ || parsableWeight(text, mostParts) !== undefined;
}

/**
 * Estimates the bytes of the heap that a document takes that another party wrote, parsed and with its text.
 *
 * @param mostParts how many lists, objects and fields it may have
 * @returns undefined for one that is not parsed, because it has too many parts ({@link isOfParsableExtent})
 */
export function parsableWeight(text: string, mostParts = MAXIMUM_PARTS): number | undefined {
  const extent = new JsonExtent({ ...DOCUMENT_BOUNDS, parts: mostParts });
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      const end = endOfString(text, position);
      extent.addText(end - position);
      position = end;
    } else if (code === COMMA) extent.addEntry();
    else if (code === COLON) {
      if (!extent.addField()) return undefined;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) extent.end();
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (!extent.begin()) return undefined;
    }
  }
  // V8 keeps a text in one byte a character, unless one of them needs two.
  const width = Buffer.byteLength(text) === text.length && !text.includes('\\u') ? 1 : 2;
  return width * text.length + extent.weight(width);
}

/** The position of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}
