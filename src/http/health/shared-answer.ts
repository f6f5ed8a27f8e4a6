/** An answer that everybody shares who asks while it is waited for, or soon after: of a question that costs something. */
export class SharedAnswer<Answer> {
  private waitedFor: Promise<Answer> | undefined;
  private last: { readonly answer: Answer; readonly until: number } | undefined;

  /**
   * @param ask asks the question; must not fail
   * @param lifetimeMs how long an answer is given again
   * @param now the time in milliseconds, of a clock that only goes forward
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
