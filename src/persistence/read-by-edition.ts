/**
 * Reads something once for each edition of it. Every call asks the database for the current edition, or is told what another statement
 * has just read of it, so that all replicas see a change at once (docs/adr/0008); calls at the same time ask together.
 */
export class ReadByEdition<Content> {
  private readonly edition: SerializedRead<string>;
  private read: { readonly edition: string; readonly content: Promise<Content> } | undefined;

  /**
   * @param edition reads which edition is in force
   * @param everything reads what belongs to it
   */
  constructor(
    edition: () => Promise<string>,
    private readonly everything: () => Promise<Content>,
  ) {
    this.edition = new SerializedRead(edition);
  }

  async get(): Promise<Content> {
    const edition = await this.edition.get();
    if (this.read?.edition === edition) return this.read.content;
    const content = this.everything();
    const read = { edition, content };
    this.read = read;
    try {
      return await content;
    } catch (error) {
      // The next request tries again.
      if (this.read === read) this.read = undefined;
      throw error;
    }
  }

  /** @param edition which one was in force when the caller asked for something else; what is returned is of this one or newer */
  async since(edition: string): Promise<Content> {
    return this.read?.edition === edition ? this.read.content : this.get();
  }
}

/**
 * Reads something for all who ask for it at the same time: those who ask while it is being read wait for one further read, which
 * begins when that one has ended. So no caller gets what was read before it asked, and a single caller waits for one read.
 */
export class SerializedRead<Content> {
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
