import type { Response } from 'express';
import { jsonHead } from './json-head.js';
import { isLongerThan, jsonBytesInTurns, TURN_LENGTH } from './json-pieces.js';
import type { GatehouseRequest } from './request.js';

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
  for await (const piece of jsonBytesInTurns(body)) {
    if (response.destroyed) return;
    pieces.push(piece);
    length += piece.length;
  }
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(status, jsonHead(requestId, length));
  for (const piece of pieces) response.write(piece);
  response.end();
}
