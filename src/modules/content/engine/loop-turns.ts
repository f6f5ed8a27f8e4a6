/** How long a scan may hold the event loop at a time, in milliseconds. */
const TURN_MS = 4;

/**
 * Shares the event loop between the scans of a process: one of them goes on in each round of the loop, so that any number of
 * them together delays other requests by no more than one turn.
 */
export class LoopTurns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  /** Waits for the round of the loop that belongs to this caller. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.waiting.shift()?.();
      this.schedule();
    });
  }
}

/** The turns of one scan. */
export class ScanTurn {
  private endsAt = performance.now() + TURN_MS;

  /** @param signal ends the scan: its reason is thrown at the next rest */
  constructor(
    private readonly turns: LoopTurns,
    private readonly signal?: AbortSignal,
  ) {}

  /** Whether the scan has to {@link rest} before it goes on. */
  get isOver(): boolean {
    return performance.now() >= this.endsAt;
  }

  /** Lets others use the event loop. @throws the reason of the signal when that is aborted */
  async rest(): Promise<void> {
    await this.turns.next();
    this.signal?.throwIfAborted();
    this.endsAt = performance.now() + TURN_MS;
  }
}
