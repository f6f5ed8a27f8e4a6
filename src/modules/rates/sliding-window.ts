/** How long what was counted counts, in seconds. */
export const WINDOW_SECONDS = 60;

/** The seconds that are kept apart: one more than a window has, because the present one has only begun. */
export const KEPT_SECONDS = WINDOW_SECONDS + 1;

/**
 * Counts amounts by the second, so that in no span of 60 seconds, wherever it begins, more is counted than a limit allows
 * (docs/limits.md#rates). What was counted counts for a second longer at most.
 */
export class SlidingWindow {
  private sum: number;

  /**
   * @param latest the latest second, since the epoch
   * @param amounts of the latest 61 seconds, each at the remainder of its second by 61; empty for none
   */
  constructor(
    private latest = 0,
    private amounts: readonly number[] | number[] = [],
  ) {
    this.sum = amounts.reduce((sum, amount) => sum + amount, 0);
  }

  get used(): number {
    return this.sum;
  }

  get latestSecond(): number {
    return this.latest;
  }

  /** The amounts as the constructor takes them. */
  get stored(): readonly number[] {
    return this.sum === 0 ? [] : this.amounts;
  }

  /** The seconds until nothing of what was counted counts; 0 if nothing does. */
  get secondsUntilEmpty(): number {
    return this.seconds().findLast(([, amount]) => amount > 0)?.[0] ?? 0;
  }

  /**
   * Forgets what does not count any more. A second before the latest one is taken for it, unless the clock was set back by more
   * than a window: then all begins anew.
   */
  advance(second: number): void {
    const isSetBack = this.latest - second > WINDOW_SECONDS;
    if (second <= this.latest && !isSetBack) return;
    if (isSetBack || second - this.latest >= KEPT_SECONDS) {
      this.amounts = [];
      this.sum = 0;
    } else {
      for (let passed = this.latest + 1; passed <= second; passed += 1) this.change(passed, 0);
    }
    this.latest = second;
  }

  /** Counts an amount in the latest second. */
  add(amount: number): void {
    this.change(this.latest, this.amountOf(this.latest) + amount);
  }

  /** Takes an amount back that was counted in a second, if that still counts. */
  takeBack(second: number, amount: number): void {
    if (second > this.latest || this.latest - second >= KEPT_SECONDS) return;
    this.change(second, Math.max(0, this.amountOf(second) - amount));
  }

  /**
   * The seconds until there is room for an amount, if nothing else is counted meanwhile; those of a window where there is never.
   *
   * @param room what may be used beside the amount
   */
  secondsUntilUsedIs(room: number): number {
    let used = this.sum;
    for (const [seconds, amount] of this.seconds()) {
      used -= amount;
      if (used <= room) return seconds;
    }
    return KEPT_SECONDS;
  }

  /** What counts, from the oldest on, with the seconds until it does not. */
  private seconds(): (readonly [seconds: number, amount: number])[] {
    return Array.from({ length: KEPT_SECONDS }, (_, index) => [
      index + 1,
      this.amountOf(this.latest - WINDOW_SECONDS + index),
    ]);
  }

  private amountOf(second: number): number {
    return this.amounts[remainderOf(second)] ?? 0;
  }

  private change(second: number, amount: number): void {
    const before = this.amountOf(second);
    if (before === amount) return;
    if (this.amounts.length === 0) this.amounts = new Array<number>(KEPT_SECONDS).fill(0);
    (this.amounts as number[])[remainderOf(second)] = amount;
    this.sum += amount - before;
  }
}

function remainderOf(second: number): number {
  return ((second % KEPT_SECONDS) + KEPT_SECONDS) % KEPT_SECONDS;
}
