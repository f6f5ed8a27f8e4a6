/** An escape sequence. JSON.stringify writes a half of a character as `\ud800` to `\udfff` if its other half is missing, and only then. */
const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;
const HALF_LENGTH = '\\ud800'.length;

/**
 * Writes a value as JSON that every receiver can parse: half a character becomes U+FFFD, as in UTF-8.
 *
 * @returns undefined for what JSON cannot express: a circle, a bigint, more levels than the stack has, nothing at all
 */
export function jsonText(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    // Searched first, because hardly any text has one.
    if (text?.includes('\\ud') !== true) return text;
    return text.replace(ESCAPE, (escape) => (escape.length === HALF_LENGTH ? '\\ufffd' : escape));
  } catch {
    return undefined;
  }
}
