import { setImmediate as nextTurn } from 'node:timers/promises';

/** The length of a piece, in characters: less than a millisecond of work. Some are a few times as long. */
const PIECE_LENGTH = 32_768;

/** How deep it is looked how long lists and objects are. Deeper ones are taken apart, so that no value is looked at more often. */
const MEASURED_DEPTH = 8;

/** The estimated length of a value that is no text, and of what stands around a name. */
const SCALAR_LENGTH = 8;

/** Whether the JSON of a value is longer than a number of characters. It stops as soon as that is known. */
export function isLongerThan(value: unknown, length: number): boolean {
  return lengthLeft(value, length) < 0;
}

/**
 * Writes the text of JSON.stringify in pieces, so that others can use the event loop in between. It takes about as long as
 * JSON.stringify, however deep the value nests.
 *
 * @param value plain; what is undefined is left out of objects, and null in lists
 */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  const writer = new JsonWriter();
  yield* writer.write(value, MEASURED_DEPTH);
  yield writer.text;
}

/** Collects text, and gives it away as soon as it is a piece. */
class JsonWriter {
  text = '';

  *write(value: unknown, depth: number): Generator<string, void, undefined> {
    if (typeof value === 'string' && value.length > PIECE_LENGTH) yield* this.writeText(value);
    else if (typeof value !== 'object' || value === null || writesItself(value)) this.text += serialized(value);
    else if (depth > 0 && !isLongerThan(value, PIECE_LENGTH)) this.text += serialized(value);
    else if (Array.isArray(value)) yield* this.writeList(value, depth - 1);
    else yield* this.writeFields(value as Readonly<Record<string, unknown>>, depth - 1);
    if (this.text.length >= PIECE_LENGTH) yield this.piece();
  }

  private *writeList(list: readonly unknown[], depth: number): Generator<string, void, undefined> {
    this.text += '[';
    for (let index = 0; index < list.length;) {
      if (index > 0) this.text += ',';
      const end = endOfPiece(list, index, depth);
      if (end === index) yield* this.write(list[index], depth);
      else this.text += serialized(list.slice(index, end)).slice(1, -1);
      if (this.text.length >= PIECE_LENGTH) yield this.piece();
      index = Math.max(end, index + 1);
    }
    this.text += ']';
  }

  private *writeFields(object: Readonly<Record<string, unknown>>, depth: number): Generator<string, void, undefined> {
    let separator = '{';
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      this.text += separator;
      if (name.length > PIECE_LENGTH) yield* this.writeText(name);
      else this.text += serialized(name);
      this.text += ':';
      yield* this.write(value, depth);
      separator = ',';
    }
    this.text += separator === '{' ? '{}' : '}';
  }

  private *writeText(text: string): Generator<string, void, undefined> {
    this.text += '"';
    for (let start = 0; start < text.length;) {
      const end = endOfCharacter(text, start + PIECE_LENGTH);
      this.text += serialized(text.slice(start, end)).slice(1, -1);
      yield this.piece();
      start = end;
    }
    this.text += '"';
  }

  private piece(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

/** The end of as many items as make a piece; `from` where one is longer. */
function endOfPiece(list: readonly unknown[], from: number, depth: number): number {
  let left = PIECE_LENGTH;
  for (let index = from; index < list.length; index += 1) {
    const item = list[index];
    const isUnmeasured = depth === 0 && typeof item === 'object' && item !== null;
    left = isUnmeasured ? -1 : lengthLeft(item, left);
    if (left < 0) return index;
  }
  return list.length;
}

/** An index that does not split a surrogate pair, whose halves would be written as two escapes. */
function endOfCharacter(text: string, place: number): number {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff ? place + 1 : place;
}

/** Whether an object has its own toJSON; such objects are usually small. */
function writesItself(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function';
}

function serialized(value: unknown): string {
  // A list may have places without a value.
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** Subtracts the estimated JSON length of a value from a number of characters; stops below 0. */
function lengthLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - SCALAR_LENGTH;
  let remaining = left - SCALAR_LENGTH;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && remaining >= 0; index += 1) {
      remaining = lengthLeft(value[index], remaining);
    }
    return remaining;
  }
  // Every page of a list comes here, so that no list of its fields is made.
  for (const name in value) {
    remaining -= name.length + SCALAR_LENGTH;
    if (remaining >= 0) remaining = lengthLeft((value as Readonly<Record<string, unknown>>)[name], remaining);
    if (remaining < 0) break;
  }
  return remaining;
}

/** The number of JSON characters written in one turn of the event loop, about a millisecond of work. */
export const TURN_LENGTH = 262_144;

/**
 * The bytes of JSON.stringify in pieces, written in as many turns of the event loop as they need.
 *
 * @param value as of {@link jsonPieces}
 */
export async function* jsonBytesInTurns(value: unknown): AsyncGenerator<Buffer, void, undefined> {
  let written = 0;
  for (const text of jsonPieces(value)) {
    yield Buffer.from(text);
    written += text.length;
    if (written < TURN_LENGTH) continue;
    written = 0;
    await nextTurn();
  }
}
