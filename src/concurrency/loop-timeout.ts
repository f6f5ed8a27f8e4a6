/** The number of parts that a timeout is divided into. */
const PARTS = 4;

/**
 * A timeout that counts only the time in which the event loop ran. After the loop was blocked, Node.js runs timers before it
 * reads sockets, so a plain timer would expire although the data has arrived and is only not read yet.
 *
 * The time is counted in parts, and a part that ends late does not count. At most {@link PARTS} parts are ignored in this
 * way, so that timeouts still expire when the loop is always late. The callback runs after all sockets were read.
 */
export class LoopTimeout {
  private readonly part: number;
  private left = PARTS;
  private lateParts = 0;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;

  /**
   * Starts the timeout.
   *
   * @param milliseconds the duration, not counting the time in which the event loop was blocked
   * @param onTimeout called once, unless the timeout is cancelled before
   */
  constructor(
    milliseconds: number,
    private readonly onTimeout: () => void,
  ) {
    this.part = milliseconds / PARTS;
    this.startPart();
  }

  /** Cancels the timeout. Does nothing after it has expired. */
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
