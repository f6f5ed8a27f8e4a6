/** Blocks the event loop of this thread for a time in milliseconds, as long work does. */
export function blockLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
