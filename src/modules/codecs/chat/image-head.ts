import type { PixelSize } from './image-size.js';

/** What the first bytes of an image say. */
export interface ImageHead {
  readonly mediaType: string;
  /** Undefined where the head does not say it. */
  readonly pixels: PixelSize | undefined;
}

/** How much of an image is looked at, in characters of base64: a JPEG says its size behind its profiles. */
const READ_CHARACTERS = 262_144;

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const SVG = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i;

/** Marks of a JPEG behind which its size stands: the frames (ITU T.81, table B.1). */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/**
 * Reads what an image in base64 is, and how large.
 *
 * @returns undefined for what is none that is known
 */
export function imageHeadOf(data: string): ImageHead | undefined {
  const bytes = Buffer.from(data.slice(0, READ_CHARACTERS), 'base64');
  if (bytes.subarray(0, PNG.length).equals(PNG)) return { mediaType: 'image/png', pixels: sizeAt(bytes, 16) };
  if (bytes.length > 3 && bytes.readUInt16BE(0) === 0xff_d8) return { mediaType: 'image/jpeg', pixels: ofJpeg(bytes) };
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP')
    return { mediaType: 'image/webp', pixels: ofWebp(bytes) };
  if (/^GIF8[79]a/.test(head)) return { mediaType: 'image/gif', pixels: ofGif(bytes) };
  if (head.slice(4, 12) === 'ftypavif') return { mediaType: 'image/avif', pixels: undefined };
  return SVG.test(bytes.toString('utf8', 0, 2_048)) ? { mediaType: 'image/svg+xml', pixels: undefined } : undefined;
}

function sizeAt(bytes: Buffer, offset: number): PixelSize | undefined {
  if (bytes.length < offset + 8) return undefined;
  return sizeOf(bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4));
}

function sizeOf(width: number, height: number): PixelSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function ofJpeg(bytes: Buffer): PixelSize | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const mark = bytes[at + 1]!;
    if (FRAMES.has(mark)) return sizeOf(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A mark may be filled with bytes of its first one.
    at += mark === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Of each of the three forms (https://developers.google.com/speed/webp/docs/riff_container). */
function ofWebp(bytes: Buffer): PixelSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sizeOf(bytes.readUInt16LE(26) & 0x3f_ff, bytes.readUInt16LE(28) & 0x3f_ff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sizeOf((bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
    }
    case 'VP8X':
      return sizeOf(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

function ofGif(bytes: Buffer): PixelSize | undefined {
  return bytes.length < 10 ? undefined : sizeOf(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
}
