import { isLongerThan, LARGE_JSON } from '../../../http/json-length.js';

/**
 * Writes the body of a request as JSON.
 *
 * @param turn waits until a step with a large body, which has images or a long conversation, may hold the event loop
 */
export async function requestBytes(body: object, turn: () => Promise<void>): Promise<Buffer> {
  if (!isLongerThan(body, LARGE_JSON)) return Buffer.from(JSON.stringify(body));
  await turn();
  const text = JSON.stringify(body);
  await turn();
  return Buffer.from(text);
}
