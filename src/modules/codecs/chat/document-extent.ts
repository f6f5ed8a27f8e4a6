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

/** Characters of the shortest document that nests too deep. */
const MINIMUM_LENGTH_TO_READ = 2 * DOCUMENT_BOUNDS.depth;

/** Whether a document that another party wrote is within its bounds. Whether it is JSON at all is left to the parser. */
export function isOfParsableExtent(text: string, bounds = DOCUMENT_BOUNDS): boolean {
  return text.length <= MINIMUM_LENGTH_TO_READ || typeof extentWithin(text, bounds) !== 'string';
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
