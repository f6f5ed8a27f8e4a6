/** What was used in a window, in 1e-18 of its measure. */
interface WindowAmount {
  /** The first moment of the window, in milliseconds. */
  readonly window: number;
  used: bigint;
}

/** Where the latest window of each counter is kept. */
type LatestWindows = Pick<Map<string, WindowAmount>, 'get'> & { set(name: string, amount: WindowAmount): unknown };

/** What recorded requests have used of counters, each in its latest window. Requests have to come in the order of time. */
export class WindowAmounts {
  /** @param latest may forget counters that have not been used for long */
  constructor(private readonly latest: LatestWindows) {}

  /**
   * Counts a request, unless the limit was met before it.
   *
   * @param use what the request has used
   * @returns whether the limit was met
   */
  isMet(name: string, windowStart: Date, limit: bigint, use: bigint): boolean {
    const window = windowStart.getTime();
    const last = this.latest.get(name);
    const amount = last?.window === window ? last : { window, used: 0n };
    this.latest.set(name, amount);
    const isMet = amount.used >= limit;
    if (!isMet) amount.used += use;
    return isMet;
  }
}
