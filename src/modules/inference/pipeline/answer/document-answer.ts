import type { Response } from 'express';
import { jsonHead } from '../../../../http/json-head.js';
import type { AnswerMemory } from '../../../../http/input/request-memory.js';
import { isLongerThan, LARGE_JSON } from '../../../../http/json-length.js';
import { jsonPiecesOf } from '../../../../http/large-answer.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { drained, hasClientLeft } from './client-reading.js';

/** The bytes of a large answer that are handed to its connection at once. */
const PIECE = 65_536;

/**
 * Sends a whole answer. A large one is written a piece at a time, in turns of the event loop, and sent as fast as the client reads it.
 *
 * @param turn waits until a step with a large answer may hold the event loop
 * @param memory holds what is written of it
 * @returns when the answer is handed over to the connection, or the client has left
 * @throws AnswerMemoryExhausted while nothing is sent yet
 */
export async function sendDocument(
  response: Response,
  document: object,
  turn: () => Promise<void>,
  memory: AnswerMemory,
): Promise<void> {
  if (isLongerThan(document, LARGE_JSON)) return sendInPieces(response, document, turn, memory);
  const text = JSON.stringify(document);
  const length = Buffer.byteLength(text);
  if (!memory.tryHold(length)) await memory.hold(length);
  response.writeHead(200, jsonHead(requestIdOf(response), length));
  response.end(text);
}

async function sendInPieces(
  response: Response,
  document: object,
  turn: () => Promise<void>,
  memory: AnswerMemory,
): Promise<void> {
  await turn();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of jsonPiecesOf(document)) {
    pieces.push(piece);
    length += piece.length;
    if (!memory.tryHold(piece.length)) await memory.hold(piece.length);
  }
  await turn();
  if (hasClientLeft(response)) return;
  response.writeHead(200, jsonHead(requestIdOf(response), length));
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PIECE) {
      if (!response.write(piece.subarray(start, start + PIECE)) && !(await drained(response))) return;
    }
  }
  response.end();
}

function requestIdOf(response: Response): string {
  return (response.req as GatehouseRequest).requestId;
}
