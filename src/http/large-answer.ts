import type { Response } from 'express';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/**
 * How many characters of JSON are written in one turn of the event loop, and what an answer must have to be written in
 * several: a millisecond of work.
 */
const TURN_LENGTH = 262_144;

/** What a number, a boolean or null, and what the name of a member, take in JSON: no more than an estimate needs. */
const SCALAR_LENGTH = 4;

/** A body of which some member is a list. */
type Body = Readonly<Record<string, unknown>>;

/**
 * Whether an answer is a list that is too long to be written in one turn of the event loop. It reads no more of it than it
 * needs to know that.
 */
export function isLargeList(body: object): body is Body {
  return 'data' in body && Array.isArray(body.data) && lengthLeft(body.data, TURN_LENGTH) < 0;
}

/**
 * Answers with a large list. Its items are written one by one, and others have their turn in between. Nothing is sent
 * before all of it is written, so that what fails on the way can still become an error.
 *
 * @returns when the answer is handed over to the connection, or its client is gone
 */
export async function sendLargeList(response: Response, status: number, body: Body): Promise<void> {
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

/** The same text as that of JSON.stringify, in pieces: each item of a list is one. */
function* jsonPieces(body: Body): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* listPieces(value);
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

/** What is left of a length once a value is written; below 0 as soon as it is known not to be enough. */
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
