import type { Response } from 'express';
import { jsonHead } from '../../../../http/json-head.js';
import type { AnswerMemory } from '../../../../http/input/inference-memory.js';
import { isLongerThan, LARGE_JSON } from '../../../../http/json-length.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { drained, hasClientLeft } from './client-reading.js';

/** The bytes of a large answer that are handed to its connection at once. */
const PIECE = 65_536;

/**
 * Sends a whole answer. A large one is written in turns of the event loop, and sent as fast as the client reads it.
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
  const isLarge = isLongerThan(document, LARGE_JSON);
  if (isLarge) await turn();
  const text = JSON.stringify(document);
  const length = Buffer.byteLength(text);
  if (!memory.tryHold(length)) await memory.hold(length);
  if (isLarge) await turn();
  const { requestId } = response.req as GatehouseRequest;
  if (!isLarge) {
    response.writeHead(200, jsonHead(requestId, length));
    response.end(text);
    return;
  }
  const bytes = Buffer.from(text);
  if (hasClientLeft(response)) return;
  response.writeHead(200, jsonHead(requestId, length));
  for (let start = 0; start < length; start += PIECE) {
    if (!response.write(bytes.subarray(start, start + PIECE)) && !(await drained(response))) return;
  }
  response.end();
}
