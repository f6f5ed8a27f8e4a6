import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentScope, forSeveralRequests } from './request-scope.js';

/** What is read together. */
interface Batch<Key, Content> {
  readonly keys: Key[];
  /** The places of the keys, by their names. */
  readonly indexes: Map<string, number>;
  /** One for each key, once the reads have begun. */
  readonly contents: Promise<readonly Promise<Content>[]>;
}

/**
 * Reads what callers ask for, once for all that ask for the same thing at the same time (docs/adr/0003). While nothing is being read, a read
 * begins as soon as the caller's own task has ended. Under load it begins when the turn of the event loop has ended, for all callers that have
 * asked in it. So no caller gets what was read before it asked. One that has changed something in its own transaction reads by itself: it must
 * see the change, and no other may.
 */
export class Coalescer<Key, Content> {
  /** What is asked for and not being read yet. */
  private next: Batch<Key, Content> | undefined;
  private begun = 0;

  /**
   * @param nameOf a unique name for each key
   * @param read begins to read what the keys stand for: each by itself, so that none waits for another, or all in one statement
   */
  constructor(
    private readonly nameOf: (key: Key) => string,
    private readonly read: (keys: readonly Key[]) => readonly Promise<Content>[],
  ) {}

  /** How many reads have begun and not ended. */
  get underWay(): number {
    return this.begun;
  }

  /** @throws what the read has failed with */
  async get(key: Key): Promise<Content> {
    if (currentScope()?.readsItsOwn === true) return this.read([key])[0]!;
    const { keys, indexes, contents } = (this.next ??= this.open());
    const name = this.nameOf(key);
    let index = indexes.get(name);
    if (index === undefined) {
      index = keys.push(key) - 1;
      indexes.set(name, index);
    }
    return (await contents)[index]!;
  }

  private open(): Batch<Key, Content> {
    const begin = async (): Promise<readonly Promise<Content>[]> => {
      // Without load there are hardly others to share with, and the turn would be lost time.
      await (this.begun === 0 ? undefined : nextTurn());
      // A caller from here on may ask for something newer.
      this.next = undefined;
      const contents = this.read(batch.keys);
      const end = (): unknown => (this.begun -= 1);
      this.begun += contents.length;
      for (const content of contents) void content.then(end, end);
      return contents;
    };
    const batch: Batch<Key, Content> = { keys: [], indexes: new Map(), contents: forSeveralRequests(begin) };
    return batch;
  }
}
