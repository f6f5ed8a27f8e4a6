import type { Response } from 'express';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonHead } from './json-head.js';
import { isLongerThan, jsonPieces } from './json-pieces.js';
import type { GatehouseRequest } from './request.js';

/**
 * The number of JSON characters written in one turn of the event loop, about a millisecond of work. Longer responses are
 * written in several turns.
 */
const TURN_LENGTH = 262_144;

/** A response body, or an object in one. */
type Body = Readonly<Record<string, unknown>>;

/** Whether a response is too long to be written in one turn of the event loop. It stops as soon as that is known. */
export function isLargeAnswer(body: object): body is Body {
  return 'data' in body && isLongerThan(body.data, TURN_LENGTH);
}

/**
 * Sends a large response, which is serialized in pieces, yielding to the event loop in between. Nothing is sent before everything is
 * serialized, so that a failure can still become an error response.
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
