/** How long a text may be: in code points, or in bytes of UTF-8. */
export interface TextLimit {
  readonly length: number;
  readonly unit: 'characters' | 'bytes';
}

/**
 * Cuts a text to a limit, between two code points.
 *
 * @returns the text itself where it is short enough
 */
export function cutText(text: string, { length, unit }: TextLimit): string {
  return unit === 'bytes' ? cutToBytes(text, length) : cutToCharacters(text, length);
}

function cutToCharacters(text: string, characters: number): string {
  // A text has at most as many code points as code units.
  if (text.length <= characters) return text;
  let end = 0;
  for (let count = 0; count < characters && end < text.length; count += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  }
  return end >= text.length ? text : text.slice(0, end);
}

function cutToBytes(text: string, bytes: number): string {
  // A code unit takes at most three bytes.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}
