/** How many characters of a credential are shown, at both ends together. */
const SHOWN = 8;

/** The shortest setting of a destination that is shown in part: the ends of a shorter one would be all of it. */
const MINIMUM_SHOWN_LENGTH = SHOWN + 1;

/** The shortest key whose label shows a part of it: at least as much of it stays hidden. */
const MINIMUM_LABELLED_LENGTH = 2 * SHOWN;

/** The mask of a value of which nothing is shown. */
export const HIDDEN = '****';

/** The mask of a credential; three dots and the ellipsis (U+2026) are the same. */
const MASK = /^(?:\*{4}|.{4}(?:\.{3}|\u2026).{4})$/su;

/** A credential among the settings of a destination: `abcd...wxyz`, or `****` for a shorter text. Characters are code points. */
export function maskCredential(credential: string): string {
  return maskOf(credential, MINIMUM_SHOWN_LENGTH);
}

/** The label of a provider key, which lists show beside its name: `abcd...wxyz`, or `****` for a shorter key. */
export function labelOfKey(key: string): string {
  return maskOf(key, MINIMUM_LABELLED_LENGTH);
}

function maskOf(credential: string, minimumLength: number, ellipsis = '...'): string {
  const characters = [...credential];
  if (characters.length < minimumLength) return HIDDEN;
  return `${characters.slice(0, 4).join('')}${ellipsis}${characters.slice(-4).join('')}`;
}

/** Whether a value is the mask of a credential, with three dots or with an ellipsis, or as short as a release made it that hid more. */
export function isMaskOf(value: unknown, credential: string): boolean {
  return [MINIMUM_SHOWN_LENGTH, MINIMUM_LABELLED_LENGTH].some((minimumLength) =>
    ['...', '\u2026'].some((ellipsis) => value === maskOf(credential, minimumLength, ellipsis)),
  );
}

/** Whether a text has the form of a mask of a credential, of whatever value. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}
