import { imageHeadOf } from './image-head.js';

/** The beginnings of images of 640 by 400 pixels. */
const HEADS = {
  'image/png': '89504e470d0a1a0a0000000d49484452' + '00000280' + '00000190',
  // Behind a profile, and a mark that is filled up.
  'image/jpeg': 'ffd8' + 'ffe00010' + '00'.repeat(14) + 'ffff' + 'c2000b08' + '0190' + '0280' + '01000000',
  'image/gif': Buffer.from('GIF89a').toString('hex') + '8002' + '9001',
} as const;

const webp = (kind: string, rest: string): string =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP'),
    Buffer.from(kind),
    Buffer.from(rest, 'hex'),
    Buffer.alloc(16),
  ]).toString('base64');

const SIZE = { width: 640, height: 400 };

describe('The head of an image', () => {
  it.each(Object.entries(HEADS))('says the size of %s', (mediaType, hex) => {
    expect(imageHeadOf(Buffer.from(hex, 'hex').toString('base64'))).toEqual({ mediaType, pixels: SIZE });
  });

  it.each([
    ['lossy', webp('VP8 ', '00000000' + '000000' + '9d012a' + '8002' + '9001')],
    ['lossless', webp('VP8L', '00000000' + '2f' + '7fc26300')],
    ['extended', webp('VP8X', '0a000000' + '00000000' + '7f0200' + '8f0100')],
  ])('says the size of a WebP that is %s', (_, data) => {
    expect(imageHeadOf(data)).toEqual({ mediaType: 'image/webp', pixels: SIZE });
  });

  it.each([
    ['a drawing', '<?xml version="1.0"?><!-- by hand --><svg width="9">', 'image/svg+xml'],
    ['a JPEG that is cut', '\u00ff\u00d8\u00ff\u00e0\u0000\u0010', 'image/jpeg'],
    ['a PNG that is cut', '\u0089PNG\r\n\u001a\n', 'image/png'],
  ])('says no size of %s', (_, text, mediaType) => {
    const data = Buffer.from(text, 'latin1').toString('base64');
    expect(imageHeadOf(data)).toEqual({ mediaType, pixels: undefined });
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html><svg></svg></html>'],
    ['a text', 'no image'],
  ])('is none in %s', (_, text) => {
    expect(imageHeadOf(Buffer.from(text).toString('base64'))).toBeUndefined();
  });
});
