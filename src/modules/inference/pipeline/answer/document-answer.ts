import type { Response } from 'express';
import { jsonHead } from '../../../../api/json-head.js';
import type { AnswerMemory } from '../../../../api/input/inference-memory.js';
import { isLongerThan, jsonPieces } from '../../../../api/json-pieces.js';
import type { GatehouseRequest } from '../../../../api/request.js';
import type { LongWork } from '../../../../concurrency/long-work.js';
import { drained, hasClientLeft } from './client-reading.js';

/** Characters of an answer that is written at once, in some milliseconds. */
const SMALL_ANSWER = 262_144;

/**
 * Sends a whole answer. A large one is written in turns of the event loop, and sent as fast as the client reads it.
 *
 * @param memory holds what is written of it
 * @returns when the answer is handed over to the connection, or the client has left
 * @throws AnswerMemoryExhausted while nothing is sent yet
 */
export async function sendDocument(
  response: Response,
  document: object,
  work: LongWork,
  memory: AnswerMemory,
): Promise<void> {
  if (isLongerThan(document, SMALL_ANSWER)) return sendInPieces(response, document, work, memory);
  const text = JSON.stringify(document);
  if (!memory.tryHold(text.length)) await memory.hold(text.length);
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(200, jsonHead(requestId, Buffer.byteLength(text)));
  response.end(text);
}

/** All is written before anything is sent, because the head says how long it is. */
async function sendInPieces(response: Response, document: object, work: LongWork, memory: AnswerMemory): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const text of jsonPieces(document)) {
    const piece = Buffer.from(text);
    pieces.push(piece);
    length += piece.length;
    if (!memory.tryHold(piece.length)) await memory.hold(piece.length);
    if (work.mustRest) await work.rest();
    if (hasClientLeft(response)) return;
  }
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(200, jsonHead(requestId, length));
  for (const piece of pieces) {
    if (!response.write(piece) && !(await drained(response))) return;
    if (work.mustRest) await work.rest();
  }
  response.end();
}
