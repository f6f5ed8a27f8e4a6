/** Shares the result of an expensive call between all concurrent callers, and with later callers for a while. */
export class SharedAnswer<Answer> {
  private waitedFor: Promise<Answer> | undefined;
  private last: { readonly answer: Answer; readonly until: number } | undefined;

  /**
   * @param ask makes the call; must not reject
   * @param lifetimeMs how long a result is reused
   * @param now returns the time in milliseconds of a monotonic clock
   */
  constructor(
    private readonly ask: () => Promise<Answer>,
    private readonly lifetimeMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Promise<Answer> {
    if (this.last !== undefined && this.now() < this.last.until) return Promise.resolve(this.last.answer);
    this.waitedFor ??= this.askAndKeep();
    return this.waitedFor;
  }

  private async askAndKeep(): Promise<Answer> {
    try {
      const answer = await this.ask();
      this.last = { answer, until: this.now() + this.lifetimeMs };
      return answer;
    } finally {
      this.waitedFor = undefined;
    }
  }
}
