import { Coalescer } from '../concurrency/coalescer.js';
import { currentScope, forSeveralRequests } from '../concurrency/request-scope.js';

/**
 * Reads something once for each edition of it. Every call asks the database for the current edition, or is told what another statement
 * has just read of it, so that all replicas see a change at once (docs/adr/0008); calls at the same time ask together. A call within a
 * transaction that has changed something reads another edition by itself, and does not keep it: that may never be committed.
 */
export class ReadByEdition<Content> {
  private readonly edition: Coalescer<string, string>;
  private read: { readonly edition: string; readonly content: Promise<Content> } | undefined;

  /**
   * @param edition reads which edition is in force
   * @param everything reads what belongs to it
   */
  constructor(
    edition: () => Promise<string>,
    private readonly everything: () => Promise<Content>,
  ) {
    this.edition = new Coalescer(
      (name) => name,
      () => [edition()],
    );
  }

  async get(): Promise<Content> {
    const edition = await this.edition.get('edition');
    if (this.read?.edition === edition) return this.read.content;
    if (currentScope()?.readsItsOwn === true) return this.everything();
    const content = forSeveralRequests(() => this.everything());
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
