import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLongerThan, jsonBytesInTurns, TURN_LENGTH } from '../../../api/json-pieces.js';

/** How many bytes are copied in one turn of the event loop, a millisecond of work or some where memory is new. */
const COPIED_BYTES = 1024 * 1024;

/**
 * Writes the body of a request as JSON. A large one, which has images or a long conversation, is written in several turns of
 * the event loop, so that other requests go on.
 */
export async function requestBytes(body: object): Promise<Buffer> {
  if (!isLongerThan(body, TURN_LENGTH)) return Buffer.from(JSON.stringify(body));
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of jsonBytesInTurns(body)) {
    pieces.push(piece);
    length += piece.length;
  }
  return await joinedInTurns(pieces, length);
}

async function joinedInTurns(pieces: readonly Buffer[], length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  let rest = COPIED_BYTES;
  for (const piece of pieces) {
    end += piece.copy(bytes, end);
    if (end < rest) continue;
    rest += COPIED_BYTES;
    await nextTurn();
  }
  return bytes;
}
