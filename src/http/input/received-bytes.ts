/** Chunks below this are copied, in bytes: each of its own would take a hundred bytes, and keep alive what was read with it. */
const SMALL_CHUNK = 4_096;

/** What small chunks are copied into, in bytes. */
const ROOM = 65_536;

const NO_ROOM = Buffer.alloc(0);

/** The bytes of a body as they arrive, which take about as much memory as they are, however small the chunks are that they come in. */
export class ReceivedBytes {
  private readonly pieces: Buffer[] = [];
  private room = NO_ROOM;
  private used = 0;

  /** How many bytes there are. */
  length = 0;

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (chunk.length >= SMALL_CHUNK) {
      this.closeRoom();
      this.pieces.push(chunk);
      return;
    }
    if (chunk.length > this.room.length - this.used) {
      this.closeRoom();
      // The first one is often all there is.
      this.room = Buffer.allocUnsafeSlow(this.pieces.length === 0 ? SMALL_CHUNK : ROOM);
    }
    this.used += chunk.copy(this.room, this.used);
  }

  /** All of them, in one piece. They are given once: they would take as much memory again while they are parsed. */
  take(): Uint8Array {
    const pieces = this.takePieces();
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, this.length);
  }

  /** All of them, in the pieces that they are kept in. They are given once. */
  takePieces(): Buffer[] {
    this.closeRoom();
    return this.pieces.splice(0);
  }

  private closeRoom(): void {
    if (this.used > 0) this.pieces.push(this.room.subarray(0, this.used));
    this.room = NO_ROOM;
    this.used = 0;
  }
}
