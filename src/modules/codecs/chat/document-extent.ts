import { characterBytes, type DocumentBounds, extentWithin, heapBytesOf } from '../../../http/input/json-bounds.js';

/**
 * The bounds of a document that another party wrote, so that it can be parsed and written again in a short time each
 * (docs/interface/providers.md#calls). Writing one that nests deeper would overflow the stack.
 */
export const DOCUMENT_BOUNDS: DocumentBounds = {
  depth: 200,
  values: 4_000_000,
  parts: 1_000_000,
  different: 100_000,
  fields: 20_000,
};

/** The bounds of an event of a stream: it has some tokens, a whole answer can have the probabilities of many. */
export const EVENT_BOUNDS: DocumentBounds = { ...DOCUMENT_BOUNDS, values: 500_000, parts: 100_000 };

/** Characters of a document that is too short to exceed another bound than that of its depth, whatever it holds. */
const SHORT_LENGTH = 16_384;

/** Whether a document that another party wrote is within its bounds. Whether it is JSON at all is left to the parser. */
export function isOfParsableExtent(text: string, bounds = DOCUMENT_BOUNDS): boolean {
  if (text.length <= SHORT_LENGTH && hasFewOpenings(text, bounds.depth)) return true;
  return typeof extentWithin(text, bounds) !== 'string';
}

/** Whether a text has no more brackets than may nest, wherever they stand. An event of a stream has a dozen, and its extent takes ten times as long. */
function hasFewOpenings(text: string, most: number): boolean {
  let openings = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      openings += 1;
      if (openings > most) return false;
    }
  }
  return true;
}

/**
 * Estimates the bytes of the heap that a document takes that another party wrote, parsed and with its text.
 *
 * @returns undefined for one that is not parsed, because it exceeds a bound
 */
export function parsableWeight(text: string): number | undefined {
  const extent = extentWithin(text, DOCUMENT_BOUNDS);
  return typeof extent === 'string' ? undefined : text.length * characterBytes(text) + heapBytesOf(text, extent);
}
