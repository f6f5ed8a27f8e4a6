import { isObject } from '../../../../http/validation/constraints.js';

/** The tokens of an image if nothing else is known: those of a large image at most providers. */
export const IMAGE_TOKENS = 2_048;

/** The characters of an inline document, recording or video that count as a token. */
const CHARACTERS_PER_TOKEN = 16;

/**
 * The maximum number of tokens of a part that is not a text. What is at an address is not known.
 *
 * @param isImage whether its tokens do not depend on how large its file is
 */
export function mediaTokensOf(part: unknown, isImage: boolean): number {
  return isImage ? IMAGE_TOKENS : Math.max(IMAGE_TOKENS, Math.ceil(charactersIn(part) / CHARACTERS_PER_TOKEN));
}

/** The characters of all texts in a value of JSON. */
export function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value) && !isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + charactersIn(item), 0);
}
