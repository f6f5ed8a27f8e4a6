/** Code units up to which a piece is kept as it is: of a longer one V8 copies so few, and keeps no more. */
const [LONGEST_KEPT, KEPT] = [64, 12];

/** How much of a text has come in a stream, which may say all of it later. */
export class StreamedText {
  length = 0;
  /** How what has come ends. */
  private end = '';

  add(piece: string): void {
    this.length += piece.length;
    this.end = piece.length <= LONGEST_KEPT ? piece : piece.slice(-KEPT);
  }

  /** What has not come of the whole text; nothing where the whole is another text. */
  takeRest(whole: string): string {
    if (whole.length <= this.length || !whole.startsWith(this.end, this.length - this.end.length)) return '';
    const rest = whole.slice(this.length);
    this.add(rest);
    return rest;
  }
}
