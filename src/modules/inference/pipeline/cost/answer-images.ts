import { imageHeadOf } from '../../../codecs/chat/image-head.js';
import { listOf, objectOf } from '../../../codecs/chat/json-values.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';

/** The sizes of the images in a message, or in a part of one; undefined for one whose head does not say it, or that stands at an address. */
export function imageSizesIn(message: object): readonly (PixelSize | undefined)[] {
  return 'images' in message ? listOf(message.images).map(sizeOf) : [];
}

/** The size of an image that stands in its address; undefined for others. */
export function sizeOfDataUrl(url: string): PixelSize | undefined {
  return /^data:/i.test(url) ? imageHeadOf(url.slice(url.indexOf(',') + 1))?.pixels : undefined;
}

function sizeOf(image: unknown): PixelSize | undefined {
  const url = objectOf(objectOf(image)?.['image_url'])?.['url'];
  return typeof url === 'string' ? sizeOfDataUrl(url) : undefined;
}
