import { isObject } from '../../../../api/validation/constraints.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** An image that the model has made. */
export class ImageItem implements OutputItem {
  /** @param result the image in base64, or where it is */
  constructor(
    private readonly place: ItemPlace,
    private readonly result: string,
  ) {}

  shown(status: ItemStatus): object {
    const isWhole = status !== 'in_progress';
    return { id: this.place.id, type: 'image_generation_call', status, result: isWhole ? this.result : null };
  }

  close(): void {
    // It has come in one piece.
  }
}

/** Reads an image of a chat completion (`images`): the data of a data URL. @returns undefined for anything else */
export function imageResultOf(image: unknown): string | undefined {
  const url = isObject(image) && isObject(image.image_url) ? image.image_url.url : undefined;
  if (typeof url !== 'string') return undefined;
  return url.startsWith('data:') ? url.slice(url.indexOf(',') + 1) : url;
}
