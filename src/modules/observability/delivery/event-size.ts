import type { OutgoingGeneration } from './generation-event.js';
import { jsonText } from './json-text.js';

/** Names and fixed fields of a generation in any form. */
const BYTES_AROUND = 6_000;

/** Quotation marks and line ends of a text are escaped when it is written as JSON in JSON. */
const SHARE_OF_ESCAPES = 1.2;

/** Sizes that are known: a batch is filled by them before it is written. */
const sizes = new WeakMap<object, { readonly content: number; readonly fields: number }>();

/**
 * Estimates how many bytes a generation takes in a body.
 *
 * @param copies how often the body has the content
 */
export function estimatedBytesOf({ event }: OutgoingGeneration, copies: number): number {
  let size = sizes.get(event);
  if (size === undefined) {
    const { content, ...fields } = event;
    size = { content: bytesOf(content), fields: bytesOf(fields) };
    sizes.set(event, size);
  }
  return Math.ceil(BYTES_AROUND + size.fields * 2 + size.content * copies * SHARE_OF_ESCAPES);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(jsonText(value) ?? '');
}
