/**
 * Reads something for all who ask for it at the same time: those who ask while it is being read wait for one further read, which
 * begins when that one has ended. So no caller gets what was read before it asked, and a single caller waits for one read.
 */
export class SharedRead<Content> {
  private current: Promise<Content> | undefined;
  private next: Promise<Content> | undefined;

  /** @param read reads it */
  constructor(private readonly read: () => Promise<Content>) {}

  /** @throws what the read has failed with that would have answered */
  get(): Promise<Content> {
    // Has not begun, even if the current one has just ended.
    if (this.next !== undefined) return this.next;
    if (this.current === undefined) return this.begin();
    this.next = this.afterCurrent();
    return this.next;
  }

  private begin(): Promise<Content> {
    const current = this.read().finally(() => {
      if (this.current === current) this.current = undefined;
    });
    this.current = current;
    return current;
  }

  private async afterCurrent(): Promise<Content> {
    await Promise.allSettled([this.current]);
    this.next = undefined;
    return this.begin();
  }
}
