/** A position in the text of a pattern. Every method takes constant time, or as much as it moves on. */
export class PatternReader {
  position = 0;
  /** Where `:]` was last found; looked for again only behind it, so that all searches together are linear. */
  private namedClassEnd = 0;

  constructor(readonly text: string) {}

  /** Whether there is something left to read. */
  get hasMore(): boolean {
    return this.position < this.text.length;
  }

  /** How many UTF-16 code units are left. */
  get remaining(): number {
    return this.text.length - this.position;
  }

  /** The next UTF-16 code unit; NaN at the end. */
  get unit(): number {
    return this.text.charCodeAt(this.position);
  }

  /** Whether the rest starts with a text. */
  isAt(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Moves behind a text when the rest starts with it. @returns whether it did */
  take(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Moves on by so many UTF-16 code units. */
  skip(units = 1): void {
    this.position += units;
  }

  /** Reads a code point; undefined at the end. */
  next(): number | undefined {
    const codePoint = this.text.codePointAt(this.position);
    if (codePoint !== undefined) this.position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Moves behind the next occurrence of a text, or to the end when there is none. @returns what was passed over */
  takeThrough(end: string): string {
    const start = this.position;
    const found = this.text.indexOf(end, start);
    this.position = found === -1 ? this.text.length : found + end.length;
    return this.text.slice(start, found === -1 ? undefined : found);
  }

  /** Reads as many decimal digits as there are; an empty text when there is none. */
  digits(): string {
    const start = this.position;
    while (this.unit >= 0x30 && this.unit <= 0x39) this.position += 1;
    return this.text.slice(start, this.position);
  }

  /** Moves behind `[:name:]`. @returns whether anything of that form starts here */
  takeNamedClass(): boolean {
    if (!this.isAt('[:')) return false;
    if (this.namedClassEnd < this.position) {
      const found = this.text.indexOf(':]', this.position);
      this.namedClassEnd = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    if (this.namedClassEnd === Number.POSITIVE_INFINITY) return false;
    this.position = this.namedClassEnd + 2;
    return true;
  }
}
