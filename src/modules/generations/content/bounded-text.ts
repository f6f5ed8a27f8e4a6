import { boundedText, MAXIMUM_CONTENT_BYTES } from './generation-content.js';

/** The beginning of a text that comes in parts. */
export class BoundedText {
  private readonly parts: string[] = [];
  private left = MAXIMUM_CONTENT_BYTES;

  /** The text so far; null if there was none. */
  get text(): string | null {
    return this.parts.length === 0 ? null : this.parts.join('');
  }

  /** @param part of the text; nothing is no part */
  add(part: string | null | undefined): void {
    if (typeof part !== 'string' || part === '' || this.left <= 0) return;
    const kept = boundedText(part, this.left);
    this.parts.push(kept);
    // A part that does not fit ends the text, even if a shorter later part would fit.
    this.left = kept.length < part.length ? 0 : this.left - Buffer.byteLength(kept);
  }
}
