import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { jsonHead } from './json-head.js';
import { isLongerThan, LARGE_JSON } from './json-length.js';
import type { GatehouseRequest } from './request.js';

type Body = Readonly<Record<string, unknown>>;

/** Whether a response is too long to be written in one turn of the event loop. It stops as soon as that is known. */
export function isLargeAnswer(body: object): body is Body {
  return 'data' in body && isLongerThan(body.data, LARGE_JSON);
}

/**
 * Sends a large response, which is serialized one item of its lists after the other, yielding to the event loop in between. Nothing is
 * sent before everything is serialized, so that a failure can still become an error response.
 *
 * @returns resolves when the response is handed over to the connection, or the client has disconnected
 */
export async function sendLargeAnswer(response: Response, status: number, body: Body): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of jsonPiecesOf(body)) {
    if (response.destroyed) return;
    pieces.push(piece);
    length += piece.length;
  }
  const { requestId } = response.req as GatehouseRequest;
  response.writeHead(status, jsonHead(requestId, length));
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** The JSON of a plain value in pieces of some length, between which others use the event loop. */
export async function* jsonPiecesOf(value: unknown): AsyncGenerator<Buffer, void, undefined> {
  let text = '';
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < LARGE_JSON) continue;
    yield Buffer.from(text);
    text = '';
    await nextTurn();
  }
  yield Buffer.from(text);
}

/** The JSON of a plain value, of which long lists and objects are taken apart. */
function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || !isLongerThan(value, LARGE_JSON)) {
    // A list may have places without a value.
    yield value === undefined ? 'null' : JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield* joined(
      '[',
      value.map((item) => ['', item] as const),
      ']',
    );
  } else {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    yield* joined(
      '{',
      fields.map(([name, field]) => [`${JSON.stringify(name)}:`, field] as const),
      '}',
    );
  }
}

function* joined(
  opening: string,
  entries: readonly (readonly [name: string, value: unknown])[],
  closing: string,
): Generator<string, void, undefined> {
  for (const [index, [name, value]] of entries.entries()) {
    yield `${index === 0 ? opening : ','}${name}`;
    yield* partsOf(value);
  }
  yield entries.length === 0 ? opening + closing : closing;
}
