/** How long a value counts, in milliseconds, and at most twice as long. */
const PERIOD_MS = 60 * 60 * 1_000;

/** The largest value that was seen in the last hour or two, within bounds: what was seen once is forgotten again. */
export class RecentMaximum {
  private period = 0;
  private current: number;
  private previous: number;

  /**
   * @param least the value while nothing larger is seen
   * @param most what no value passes
   */
  constructor(
    private readonly least: number,
    private readonly most: number,
  ) {
    this.current = least;
    this.previous = least;
  }

  get value(): number {
    this.advance();
    return Math.max(this.current, this.previous);
  }

  record(value: number): void {
    this.advance();
    this.current = Math.max(this.current, Math.min(this.most, value));
  }

  private advance(): void {
    const period = Math.floor(Date.now() / PERIOD_MS);
    if (period === this.period) return;
    this.previous = period === this.period + 1 ? this.current : this.least;
    this.current = this.least;
    this.period = period;
  }
}
