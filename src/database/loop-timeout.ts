/** Into how many parts a time is divided. */
const PARTS = 4;

/**
 * A timeout that counts only the time in which the event loop ran. After the loop was blocked, Node runs timers before it
 * reads sockets, so a plain timer would give up on an answer that has arrived and is only not read yet.
 *
 * The time is counted in parts, and a part that ended late does not count; that happens {@link PARTS} times at most, so that
 * a loop that is always late has its timeouts as well. The callback runs behind a read of all sockets.
 */
export class LoopTimeout {
  private readonly part: number;
  private left = PARTS;
  private lateParts = 0;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;

  /**
   * Starts the time.
   *
   * @param milliseconds how much time of a running event loop
   * @param onTimeout called once, unless the timeout is cancelled before
   */
  constructor(
    milliseconds: number,
    private readonly onTimeout: () => void,
  ) {
    this.part = milliseconds / PARTS;
    this.startPart();
  }

  /** Ends the time without a callback. Does nothing when it is over. */
  cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private startPart(): void {
    const begun = performance.now();
    this.timer = setTimeout(() => this.endPart(performance.now() - begun), this.part);
  }

  private endPart(taken: number): void {
    if (taken > 2 * this.part && this.lateParts < PARTS) this.lateParts += 1;
    else this.left -= 1;
    if (this.left > 0) this.startPart();
    else this.immediate = setImmediate(this.onTimeout);
  }
}
