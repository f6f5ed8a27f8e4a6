import { finished, type Readable } from 'node:stream';

/**
 * Reads a body in the pieces in which it comes: one is all that has come since the one before. No iterator of Node.js, which makes seven promises
 * for a piece.
 */
export class BodyPieces {
  /** The error with which the body has ended, null without one; undefined while it has not. */
  private end: Error | null | undefined;
  private wake: (() => void) | undefined;
  private readonly forget: () => void;

  constructor(private readonly body: Readable) {
    body.on('readable', this.came);
    this.forget = finished(body, { writable: false }, (error) => {
      this.end = error ?? null;
      this.came();
    });
  }

  /** Takes what has come. @returns undefined if nothing has, and null at the end @throws the error with which the body broke off */
  take(): Uint8Array | null | undefined {
    const piece = this.body.destroyed ? null : (this.body.read() as Uint8Array | null);
    if (piece !== null) return piece;
    if (this.end instanceof Error) throw this.end;
    return this.end;
  }

  /** Waits for more where nothing was there to {@link take}, or for the end. */
  coming(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  /** Leaves what has not been taken, and the body open, so that its rest can be read elsewhere. */
  leave(): void {
    this.body.off('readable', this.came);
    this.forget();
  }

  private readonly came = (): void => {
    this.wake?.();
    this.wake = undefined;
  };
}
