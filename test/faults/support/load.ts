/** Callers that send one request after the other, until they are stopped. */
export class Load {
  private isOver = false;
  private readonly callers: readonly Promise<void>[];

  /**
   * @param callers how many of them there are at the same time
   * @param turn what one caller does, again and again
   */
  constructor(callers: number, turn: (caller: number) => Promise<void>) {
    this.callers = Array.from({ length: callers }, async (_, caller) => {
      while (!this.isOver) await turn(caller);
    });
    // If one fails, the others stop too, and stopping them throws its error.
    void Promise.all(this.callers).catch(() => (this.isOver = true));
  }

  /** Lets every caller finish its turn. Throws what a turn has thrown. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }

  /** Lets every caller finish its turn, whatever came of those before. */
  async abandon(): Promise<void> {
    this.isOver = true;
    await Promise.allSettled(this.callers);
  }
}

/**
 * Does work for each of the numbers from 0, a bounded number of them at a time.
 *
 * @param count how many numbers
 * @param atOnce how many at the same time
 */
export async function forEachNumber(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
