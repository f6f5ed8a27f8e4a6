/** The shortest credential that is shown in part; its ends would reveal a shorter one. */
const MINIMUM_SHOWN_LENGTH = 9;

/** The mask of a value of which nothing is shown. */
export const HIDDEN = '****';

/** The mask of a credential; three dots and the ellipsis (U+2026) are the same. */
const MASK = /^(?:\*{4}|.{4}(?:\.{3}|\u2026).{4})$/su;

/** `abcd...wxyz`, or `****` for a shorter text. Characters are code points. */
export function maskCredential(credential: string, ellipsis = '...'): string {
  const characters = [...credential];
  if (characters.length < MINIMUM_SHOWN_LENGTH) return HIDDEN;
  return `${characters.slice(0, 4).join('')}${ellipsis}${characters.slice(-4).join('')}`;
}

/** Whether a value is the mask of a credential, with three dots or with an ellipsis. */
export function isMaskOf(value: unknown, credential: string): boolean {
  return value === maskCredential(credential) || value === maskCredential(credential, '\u2026');
}

/** Whether a text has the form of a mask of a credential, of whatever value. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}
