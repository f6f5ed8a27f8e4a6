/** How many failed expectations are stored with their messages: a fault that breaks everything would fill the screen. */
const KEPT_FAILURES = 20;

/** What a fault found: figures, and the expectations that did not hold. */
export class Verdict {
  readonly figures: string[] = [];
  readonly failures: string[] = [];
  private failureCount = 0;
  /** Why the fault was skipped on this machine. */
  skipped: string | undefined;

  get hasPassed(): boolean {
    return this.failureCount === 0;
  }

  /** Notes a number, for the line of figures. */
  figure(name: string, value: number | string): void {
    this.figures.push(`${name} ${typeof value === 'number' ? value.toLocaleString('en') : value}`);
  }

  /**
   * Notes an expectation.
   *
   * @param what the sentence that is true when it holds
   * @param detail what was found instead
   */
  expect(holds: boolean, what: string, detail?: unknown): void {
    if (holds) return;
    this.failureCount += 1;
    if (this.failures.length === KEPT_FAILURES) this.failures.push('... and more');
    if (this.failures.length > KEPT_FAILURES) return;
    const found = typeof detail === 'string' ? detail : JSON.stringify(detail);
    this.failures.push(found === undefined ? `not: ${what}` : `not: ${what} (found: ${found})`);
  }
}
