import { isLongerThan, LARGE_JSON } from '../../../http/json-length.js';
import { MultipartForm } from '../../codecs/multipart-form.js';
import { JSON_TYPE } from './media-type.js';

/** The body of a request, as it is sent. */
export interface RequestContent {
  readonly type: string;
  /** Its bytes, in their order. */
  readonly pieces: readonly Uint8Array[];
  /** Of all of them, in bytes. */
  readonly length: number;
}

/**
 * Writes the body of a request: as JSON, or as the form that it is.
 *
 * @param turn waits until a step with a large body, which has images or a long conversation, may hold the event loop
 */
export async function requestContent(body: object, turn: () => Promise<void>): Promise<RequestContent> {
  if (body instanceof MultipartForm) {
    const pieces = body.pieces();
    return { type: body.contentType, pieces, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
  }
  const bytes = await jsonBytes(body, turn);
  return { type: JSON_TYPE, pieces: [bytes], length: bytes.length };
}

async function jsonBytes(body: object, turn: () => Promise<void>): Promise<Buffer> {
  if (!isLongerThan(body, LARGE_JSON)) return Buffer.from(JSON.stringify(body));
  await turn();
  const text = JSON.stringify(body);
  await turn();
  return Buffer.from(text);
}
