import { isLongerThan, jsonBytesInTurns, TURN_LENGTH } from '../../../api/json-pieces.js';

/**
 * Writes the body of a request as JSON. A large one, which has images or a long conversation, is written in several turns of
 * the event loop, so that other requests go on.
 */
export async function requestBytes(body: object): Promise<Buffer> {
  if (!isLongerThan(body, TURN_LENGTH)) return Buffer.from(JSON.stringify(body));
  const pieces: Buffer[] = [];
  for await (const piece of jsonBytesInTurns(body)) pieces.push(piece);
  return Buffer.concat(pieces);
}
