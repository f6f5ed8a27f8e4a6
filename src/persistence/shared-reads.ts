import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads several things (docs/adr/0003). While nothing is being read, a read begins as soon as the caller's own task has ended. Under load
 * it begins when the turn of the event loop has ended, once for all callers that have asked for the same thing in it. So no caller gets
 * what was read before it asked, or waits for a read of something else.
 */
export class SharedReads<Key, Content> {
  private readonly next = new Map<string, Promise<Content>>();
  private begun = 0;

  /**
   * @param nameOf a unique name for each key
   * @param read reads what a key with this name stands for
   */
  constructor(
    private readonly nameOf: (key: Key) => string,
    private readonly read: (key: Key, name: string) => Promise<Content>,
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
    // Without load there are hardly others to share with, and the turn would be lost time.
    await (this.begun === 0 ? undefined : nextTurn());
    // A caller from here on may ask for something newer.
    this.next.delete(name);
    this.begun += 1;
    try {
      return await this.read(key, name);
    } finally {
      this.begun -= 1;
    }
  }
}
