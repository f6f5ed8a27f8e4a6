import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { LongWork } from '../../../../concurrency/long-work.js';
import type { ImageRequest, SentImages } from '../../../codecs/chat/images.js';
import { BYTES_PER_TOKEN } from './echo.js';

/** Images in base64. */
export interface EchoedImages extends SentImages {
  readonly images: readonly { readonly data: string }[];
}

/** Squares in a row, and the pixels of a side of each. */
const SQUARES = 8;
const SQUARE = 8;
const SIDE = SQUARES * SQUARE;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Eight bits for each of red, green and blue (https://www.w3.org/TR/png-3/#11IHDR). */
const TRUECOLOUR = [8, 2, 0, 0, 0];

/**
 * The images of the builtin provider: patterns of squares of 64 by 64 pixels, the same ones for the same prompt, seed and references
 * (docs/providers.md#echo).
 *
 * @param work lets others use the event loop meanwhile
 */
export async function echoImages(
  { prompt, n, seed = 0, references }: ImageRequest,
  work: LongWork,
): Promise<EchoedImages> {
  const images: { readonly data: string }[] = [];
  for (let place = 0; place < n; place++) {
    const hash = createHash('sha256').update(JSON.stringify([prompt, seed + place]));
    for (const reference of references) {
      if (work.mustRest) await work.rest();
      hash.update(reference);
    }
    images.push({ data: patternOf(hash.digest()).toString('base64') });
  }
  const tokens = Math.ceil(Buffer.byteLength(prompt) / BYTES_PER_TOKEN);
  return { upstreamId: null, images, usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } };
}

/** A pattern as PNG. @param hash says its two colours and which squares have which; the right half mirrors the left one */
function patternOf(hash: Buffer): Buffer {
  const colours = [hash.subarray(0, 3), hash.subarray(3, 6)];
  const row = 1 + 3 * SIDE;
  // The filter of each row, its first byte, is none.
  const pixels = Buffer.alloc(row * SIDE);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const column = Math.floor(x / SQUARE);
      const bit = Math.floor(y / SQUARE) * (SQUARES / 2) + Math.min(column, SQUARES - 1 - column);
      const colour = colours[(hash[6 + (bit >> 3)]! >> (bit & 7)) & 1]!;
      colour.copy(pixels, y * row + 1 + 3 * x);
    }
  }
  const header = Buffer.alloc(8);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', Buffer.concat([header, Buffer.from(TRUECOLOUR)])),
    chunkOf('IDAT', deflateSync(pixels)),
    chunkOf('IEND', Buffer.alloc(0)),
  ]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([numbers.subarray(0, 4), typed, numbers.subarray(4)]);
}
