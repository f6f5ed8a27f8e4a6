import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonPieces } from './json-pieces.js';

/** The number of JSON characters written in one turn of the event loop, about a millisecond of work. */
export const TURN_LENGTH = 262_144;

/**
 * The bytes of JSON.stringify in pieces, written in as many turns of the event loop as they need.
 *
 * @param value as of {@link jsonPieces}
 */
export async function* jsonBytesInTurns(value: unknown): AsyncGenerator<Buffer, void, undefined> {
  let written = 0;
  for (const text of jsonPieces(value)) {
    yield Buffer.from(text);
    written += text.length;
    if (written < TURN_LENGTH) continue;
    written = 0;
    await nextTurn();
  }
}
