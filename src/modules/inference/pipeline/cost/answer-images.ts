import { listOf } from '../../../codecs/index.js';

/** The number of images in a message, or in a part of one. */
export function imagesIn(message: object): number {
  return 'images' in message ? listOf(message.images).length : 0;
}
