import type { TextLimit } from './text-cut.js';

/** How much is left out of a generation that is larger than a request may be. */
export interface Shortening {
  /** Of each text of the content; null for whole texts. */
  readonly contentText: TextLimit | null;
  readonly hasContent: boolean;
  /** Of each other field that the caller has written; null for the limits of the type. */
  readonly fieldText: TextLimit | null;
}

/** Nothing is left out. */
export const WHOLE: Shortening = { contentText: null, hasContent: true, fieldText: null };

/** Of the fields of a generation whose content was not enough to leave out. */
const SHORT_FIELD: TextLimit = { length: 1_024, unit: 'bytes' };

/**
 * Writes a body that is not larger than a type takes. A single generation that is too large is shortened: first each text of its content to
 * an eighth of the limit, then its content is left out as a whole, and its other fields are cut.
 *
 * @param generations how many are in the body
 * @param maximumBytes of the body before compression
 * @param write the body of these generations
 * @returns null for several generations that are too large together, which are to be halved, and for one that cannot be made to fit
 */
export function fittingBody(
  generations: number,
  maximumBytes: number,
  write: (shortening: Shortening) => Buffer,
): Buffer | null {
  const steps = generations === 1 ? [WHOLE, ...shortenings(maximumBytes)] : [WHOLE];
  for (const shortening of steps) {
    const body = write(shortening);
    if (body.length <= maximumBytes) return body;
  }
  return null;
}

function shortenings(maximumBytes: number): Shortening[] {
  const contentText: TextLimit = { length: Math.floor(maximumBytes / 8), unit: 'bytes' };
  return [
    { ...WHOLE, contentText },
    { contentText, hasContent: false, fieldText: SHORT_FIELD },
  ];
}

/** Whether anything of a generation's content is left out. */
export function isShortened({ contentText, hasContent }: Shortening): boolean {
  return contentText !== null || !hasContent;
}
