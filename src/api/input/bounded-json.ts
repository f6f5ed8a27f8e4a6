import type { LongWork } from '../../concurrency/long-work.js';
import { BoundsCheck, type JsonBounds, parsedIfJson } from './json-bounds.js';
import { hasNarrowTexts, parsedInTurns, PORTION_BYTES } from './json-reader.js';

/** A JSON text that has been parsed. */
interface ParsedJson {
  readonly value: unknown;
  /** The bytes of the heap that the value takes, estimated. */
  readonly weight: number;
}

/** What a value takes besides its text, in bytes of the heap. */
const VALUE_BYTES = 64;

/** A JSON text that has been parsed, or why it has not: it is no JSON, or exceeds a bound. */
export type BoundedJson = ParsedJson | { readonly failure: 'syntax' | keyof JsonBounds };

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Parses JSON within bounds all at once. A bound that is exceeded is the failure also of what is no JSON.
 *
 * @param bytes valid UTF-8, with a byte order mark or without
 */
export function boundedJson(bytes: Uint8Array, bounds: JsonBounds): BoundedJson {
  const check = new BoundsCheck(bytes, bounds);
  const failure = check.check(bytes.length);
  if (failure !== undefined) return { failure };
  const value = parsedIfJson(new TextDecoder().decode(bytes));
  if (value === undefined) return { failure: 'syntax' };
  return { value, weight: bytes.length * (hasNarrowTexts(bytes) ? 1 : 2) + check.values * VALUE_BYTES };
}

/**
 * Does the same as {@link boundedJson} in turns of the event loop.
 *
 * @param work lets others use the event loop meanwhile
 * @param portionBytes how much is read at once
 * @throws the reason of the work's signal
 */
export async function boundedJsonInTurns(
  bytes: Uint8Array,
  bounds: JsonBounds,
  work: LongWork,
  portionBytes = PORTION_BYTES,
): Promise<BoundedJson> {
  const text = withoutMark(bytes);
  let weight = 0;
  const weigh = (more: number): undefined => void (weight += more);
  const read = await parsedInTurns(text, bounds, work, { portionBytes, hold: weigh });
  if ('value' in read) return { ...read, weight };
  // Exact, and to the end of what is no JSON: empty lists hold no value, for which the reader takes them.
  const failure = await exceededBoundInTurns(text, bounds, work, portionBytes);
  if (failure !== undefined) return { failure };
  if (read.failure === 'syntax') return { failure: 'syntax' };
  weight = 0;
  const again = await parsedInTurns(text, { depth: bounds.depth }, work, { portionBytes, hold: weigh });
  return 'value' in again ? { ...again, weight } : { failure: 'syntax' };
}

async function exceededBoundInTurns(
  bytes: Uint8Array,
  bounds: JsonBounds,
  work: LongWork,
  portionBytes: number,
): Promise<keyof JsonBounds | undefined> {
  const check = new BoundsCheck(bytes, bounds);
  for (let end = portionBytes; ; end += portionBytes) {
    if (work.mustRest) await work.rest();
    const failure = check.check(Math.min(end, bytes.length));
    if (failure !== undefined || end >= bytes.length) return failure;
  }
}

function withoutMark(bytes: Uint8Array): Buffer {
  const length = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + length, bytes.length - length);
}
