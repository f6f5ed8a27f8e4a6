import type { ContentPart } from '../../chat-completion.js';

/**
 * Divides a content behind some of its text. Parts that are no texts count as none, and stay before what follows them.
 *
 * @param units UTF-16 units of text before the division; more than there are divide behind everything
 */
export function splitParts(
  parts: readonly ContentPart[],
  units: number,
): { readonly before: readonly ContentPart[]; readonly after: readonly ContentPart[] } {
  let left = units;
  for (const [index, part] of parts.entries()) {
    const text = part.text ?? '';
    if (left === 0) return { before: parts.slice(0, index), after: parts.slice(index) };
    if (left >= text.length) {
      left -= text.length;
      continue;
    }
    const end = isInsidePair(text, left) ? left + 1 : left;
    return {
      before: [...parts.slice(0, index), { ...part, text: text.slice(0, end) }],
      after: [{ ...part, text: text.slice(end) }, ...parts.slice(index + 1)],
    };
  }
  return { before: parts, after: [] };
}

/** Whether a position would divide a character of two units: a filter may have changed the text since. */
function isInsidePair(text: string, at: number): boolean {
  return text.codePointAt(at - 1)! > 0xffff;
}
