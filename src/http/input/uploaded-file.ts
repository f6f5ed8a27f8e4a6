/**
 * A file of a request, which is kept once in memory, in the pieces that it came in. Its bytes are no property: what goes through the values of
 * a body, to check or to log them, sees its name, its type and its size.
 */
export class UploadedFile {
  readonly #pieces: readonly Uint8Array[];

  /**
   * @param name as the client gives it, without folders; empty if it gives none
   * @param mediaType as the client gives it, without parameters and in lower case
   * @param size in bytes
   */
  constructor(
    readonly name: string,
    readonly mediaType: string,
    pieces: readonly Uint8Array[],
    readonly size: number,
  ) {
    this.#pieces = pieces;
  }

  /** The bytes of the file. */
  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** The first bytes of the file. @param length how many at most */
  head(length: number): Buffer {
    const head = Buffer.alloc(Math.min(length, this.size));
    let filled = 0;
    for (const piece of this.#pieces) {
      if (filled >= head.length) break;
      head.set(piece.subarray(0, head.length - filled), filled);
      filled += piece.length;
    }
    return head;
  }
}
