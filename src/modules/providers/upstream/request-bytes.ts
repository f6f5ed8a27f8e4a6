import { setImmediate as nextTurn } from 'node:timers/promises';
import { objectOf } from '../json-values.js';

/** The number of characters that are written in one turn of the event loop, about a millisecond of work. */
const TURN_LENGTH = 262_144;

/** How deep a body is taken apart: body, list of messages, message, list of parts, part, address of an image. */
const DEPTH = 6;

/** Characters of a value that is no text, and of a name. */
const SCALAR_LENGTH = 8;

/**
 * Writes the body of a request as JSON. A large one, which has images or a long conversation, is written in several turns of
 * the event loop, so that other requests go on.
 */
export async function requestBytes(body: object): Promise<Buffer> {
  if (lengthLeft(body, TURN_LENGTH) >= 0) return Buffer.from(JSON.stringify(body));
  const pieces: Buffer[] = [];
  let collected: string[] = [];
  let length = 0;
  for (const text of textsOf(body, DEPTH)) {
    collected.push(text);
    length += text.length;
    if (length < TURN_LENGTH) continue;
    pieces.push(Buffer.from(collected.join('')));
    [collected, length] = [[], 0];
    await nextTurn();
  }
  pieces.push(Buffer.from(collected.join('')));
  return Buffer.concat(pieces);
}

/** What is left of a number of characters after a value; it stops as soon as nothing is. */
function lengthLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - SCALAR_LENGTH;
  let remaining = left;
  for (const item of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    remaining = lengthLeft(item, remaining - SCALAR_LENGTH);
    if (remaining < 0) break;
  }
  return remaining;
}

/** The text of JSON.stringify in pieces. */
function* textsOf(value: unknown, depth: number): Generator<string, void, undefined> {
  if (typeof value === 'string') return yield* textsOfString(value);
  if (depth > 0 && Array.isArray(value)) return yield* textsOfList(value, depth - 1);
  const object = depth > 0 ? objectOf(value) : undefined;
  if (object !== undefined) return yield* textsOfObject(object, depth - 1);
  // A list may have places without a value.
  yield value === undefined ? 'null' : JSON.stringify(value);
}

function* textsOfList(list: readonly unknown[], depth: number): Generator<string, void, undefined> {
  let separator = '[';
  for (const item of list) {
    yield separator;
    yield* textsOf(item, depth);
    separator = ',';
  }
  yield list.length === 0 ? '[]' : ']';
}

function* textsOfObject(object: object, depth: number): Generator<string, void, undefined> {
  let separator = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* textsOf(value, depth);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

/** A pair of surrogates that is cut becomes two escapes, which a reader takes for the same character. */
function* textsOfString(text: string): Generator<string, void, undefined> {
  if (text.length <= TURN_LENGTH) return yield JSON.stringify(text);
  yield '"';
  for (let start = 0; start < text.length; start += TURN_LENGTH) {
    yield JSON.stringify(text.slice(start, start + TURN_LENGTH)).slice(1, -1);
  }
  yield '"';
}
