import { boundedText, MAXIMUM_CONTENT_BYTES } from './generation-content.js';

/** What a part takes besides its characters, in bytes of the heap. */
const PART_BYTES = 40;

/** The beginning of a text that comes in parts. */
export class BoundedText {
  private readonly parts: string[] = [];
  private left = MAXIMUM_CONTENT_BYTES;
  /** The estimated bytes of the heap that the parts take. */
  keptBytes = 0;

  /** The text so far; null if there was none. */
  get text(): string | null {
    return this.parts.length === 0 ? null : this.parts.join('');
  }

  /** @param part of the text; nothing is no part */
  add(part: string | null | undefined): void {
    if (typeof part !== 'string' || part === '' || this.left <= 0) return;
    const kept = boundedText(part, this.left);
    this.parts.push(kept);
    this.keptBytes += PART_BYTES + 2 * kept.length;
    // A part that does not fit ends the text, even if a shorter later part would fit.
    this.left = kept.length < part.length ? 0 : this.left - Buffer.byteLength(kept);
  }
}
