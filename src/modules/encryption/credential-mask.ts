/** How many characters of a credential are shown, at both ends together. */
const SHOWN = 8;

/** The shortest credential that is shown in part: at least as much of it stays hidden as is shown. */
const MINIMUM_SHOWN_LENGTH = 2 * SHOWN;

/** The same in earlier releases, whose masks callers may still send back. */
const EARLIER_MINIMUM_LENGTH = SHOWN + 1;

/** The mask of a value of which nothing is shown. */
export const HIDDEN = '****';

/** The mask of a credential; three dots and the ellipsis (U+2026) are the same. */
const MASK = /^(?:\*{4}|.{4}(?:\.{3}|\u2026).{4})$/su;

/** `abcd...wxyz`, or `****` for a shorter text. Characters are code points. */
export function maskCredential(credential: string): string {
  return maskOf(credential, MINIMUM_SHOWN_LENGTH);
}

function maskOf(credential: string, minimumLength: number, ellipsis = '...'): string {
  const characters = [...credential];
  if (characters.length < minimumLength) return HIDDEN;
  return `${characters.slice(0, 4).join('')}${ellipsis}${characters.slice(-4).join('')}`;
}

/** Whether a value is the mask of a credential, with three dots or with an ellipsis, also as earlier releases made it. */
export function isMaskOf(value: unknown, credential: string): boolean {
  return [MINIMUM_SHOWN_LENGTH, EARLIER_MINIMUM_LENGTH].some((minimumLength) =>
    ['...', '\u2026'].some((ellipsis) => value === maskOf(credential, minimumLength, ellipsis)),
  );
}

/** Whether a text has the form of a mask of a credential, of whatever value. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}
