import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads several things, each of them once for all callers that ask for it in the same turn of the event loop (docs/adr/0003). A read begins
 * when that turn has ended, so no caller gets what was read before it asked, or waits for a read of something else.
 */
export class SharedReads<Key, Content> {
  private readonly next = new Map<string, Promise<Content>>();
  private begun = 0;

  /**
   * @param nameOf a unique name for each key
   * @param read reads what a key stands for
   */
  constructor(
    private readonly nameOf: (key: Key) => string,
    private readonly read: (key: Key) => Promise<Content>,
  ) {}

  /** How many reads have begun and not ended. */
  get underWay(): number {
    return this.begun;
  }

  /** @throws what the read has failed with */
  get(key: Key): Promise<Content> {
    const name = this.nameOf(key);
    const known = this.next.get(name);
    if (known !== undefined) return known;
    const content = this.begin(name, key);
    this.next.set(name, content);
    return content;
  }

  private async begin(name: string, key: Key): Promise<Content> {
    await nextTurn();
    // A caller from here on may ask for something newer.
    this.next.delete(name);
    this.begun += 1;
    try {
      return await this.read(key);
    } finally {
      this.begun -= 1;
    }
  }
}
