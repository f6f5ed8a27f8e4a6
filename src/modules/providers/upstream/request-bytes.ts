import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLongerThan, jsonPieces } from '../../../api/json-pieces.js';

/** The number of characters that are written in one turn of the event loop, about a millisecond of work. */
const TURN_LENGTH = 262_144;

/**
 * Writes the body of a request as JSON. A large one, which has images or a long conversation, is written in several turns of
 * the event loop, so that other requests go on.
 */
export async function requestBytes(body: object): Promise<Buffer> {
  if (!isLongerThan(body, TURN_LENGTH)) return Buffer.from(JSON.stringify(body));
  const pieces: Buffer[] = [];
  let length = 0;
  for (const text of jsonPieces(body)) {
    pieces.push(Buffer.from(text));
    length += text.length;
    if (length < TURN_LENGTH) continue;
    length = 0;
    await nextTurn();
  }
  return Buffer.concat(pieces);
}
