import type { Response } from 'express';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/**
 * The number of JSON characters written in one turn of the event loop, about a millisecond of work. Longer responses are
 * written in several turns.
 */
const TURN_LENGTH = 262_144;

/** The estimated length of a number, boolean, null or field name in JSON. */
const SCALAR_LENGTH = 4;

/** A response body, or an object in one. */
type Body = Readonly<Record<string, unknown>>;

/** Whether a response is too long to be written in one turn of the event loop. It stops as soon as that is known. */
export function isLargeAnswer(body: object): body is Body {
  return 'data' in body && lengthLeft(body.data, TURN_LENGTH) < 0;
}

/**
 * Sends a large response. The items of its lists are serialized one by one, yielding to the event loop in between. Nothing is sent
 * before everything is serialized, so that a failure can still become an error response.
 *
 * @returns resolves when the response is handed over to the connection, or the client has disconnected
 */
export async function sendLargeAnswer(response: Response, status: number, body: Body): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of inTurns(body)) {
    if (response.destroyed) return;
    pieces.push(piece);
    length += piece.length;
  }
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(status, jsonHead(requestId, length));
  for (const piece of pieces) response.write(piece);
  response.end();
}

async function* inTurns(body: Body): AsyncGenerator<Buffer> {
  let written = 0;
  for (const text of jsonPieces(body)) {
    yield Buffer.from(text);
    written += text.length;
    if (written < TURN_LENGTH) continue;
    written = 0;
    await nextTurn();
  }
}

/** The text of JSON.stringify in pieces, one for each item of a list. */
function* jsonPieces(body: Body): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* listPieces(value);
    else if (isPlainObject(value)) yield* jsonPieces(value);
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  if (list.length === 0) {
    yield '[]';
    return;
  }
  for (const [index, item] of list.entries()) yield `${index === 0 ? '[' : ','}${JSON.stringify(item ?? null)}`;
  yield ']';
}

function isPlainObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The rest of a length after a value; negative as soon as the value is known to be longer. */
function lengthLeft(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length;
  if (typeof value !== 'object' || value === null) return length - SCALAR_LENGTH;
  let left = length;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = lengthLeft(value[index], left);
    return left;
  }
  for (const name in value) {
    left = lengthLeft((value as Body)[name], left - SCALAR_LENGTH);
    if (left < 0) return left;
  }
  return left;
}
