/** Tells what the gateway itself takes for a request apart from what providers take. */
export class RequestClock {
  private readonly start = performance.now();
  private firstCallAt: number | undefined;
  private lastWordAt: number | undefined;
  private lastCallAt: number | undefined;

  /** Notes that a provider is called now. */
  calling(): void {
    this.lastCallAt = performance.now();
    this.firstCallAt ??= this.lastCallAt;
  }

  /** Notes that a call of a provider has ended now. */
  called(): void {
    this.lastWordAt = performance.now();
  }

  /** Milliseconds since the last call of a provider began; undefined where none was called. */
  get sinceLastCall(): number | undefined {
    return this.lastCallAt === undefined ? undefined : performance.now() - this.lastCallAt;
  }

  /** Seconds until now, but for those between the first call of a provider and the end of the last. */
  get ownSeconds(): number {
    const { start, firstCallAt = start, lastWordAt = firstCallAt } = this;
    return (firstCallAt - start + performance.now() - lastWordAt) / 1000;
  }
}
