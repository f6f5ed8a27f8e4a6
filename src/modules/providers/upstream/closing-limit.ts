/** The longest wait for the end of a stream whose answer is complete, in milliseconds. */
const MAXIMUM_END_MS = 5_000;

/**
 * Limits how long a stream may stay open after its answer is complete: some providers never end it, and the client would wait for nothing.
 * All waits count together, because events without content could continue for ever.
 */
export class ClosingLimit {
  private left: number;
  private waitingSince = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param gap how long the gateway waits for one event, in milliseconds: the end takes no longer
   * @param over called when the waits took longer than they may
   */
  constructor(
    gap: number,
    private readonly over: () => void,
  ) {
    this.left = Math.min(MAXIMUM_END_MS, gap);
  }

  /** Begins to wait, unless it waits already. */
  wait(): void {
    if (this.timer !== undefined) return;
    this.waitingSince = performance.now();
    this.timer = setTimeout(this.over, this.left);
  }

  /** Ends the wait, if there is one. */
  stop(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left = Math.max(0, this.left - (performance.now() - this.waitingSince));
  }
}
