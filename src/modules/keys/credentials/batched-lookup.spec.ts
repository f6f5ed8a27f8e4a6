import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchedLookup } from './batched-lookup.js';

/** What a lookup is by. */
interface Key {
  readonly hash: Buffer;
}

const [ONE, TWO, NONE] = ['one', 'two', 'none'].map((text) => ({ hash: Buffer.from(text) })) as [Key, Key, Key];

describe('batchedLookup', () => {
  let asked: string[][];
  let failure: Error | undefined;
  let lookup: ReturnType<typeof batchedLookup<Key, string>>;

  beforeEach(() => {
    asked = [];
    failure = undefined;
    lookup = batchedLookup((keys) => {
      asked.push(keys.map(({ hash }) => hash.toString()));
      if (failure !== undefined) return Promise.reject(failure);
      return Promise.resolve(
        keys.map(({ hash }) => (hash.equals(NONE.hash) ? undefined : `row of ${hash.toString()}`)),
      );
    });
  });

  it('sends one statement for all lookups in one turn of the event loop, and returns each its own row', async () => {
    const rows = await Promise.all([TWO, ONE, NONE, TWO].map((key) => lookup.load(key)));

    expect(rows).toEqual(['row of two', 'row of one', undefined, 'row of two']);
    expect(asked).toEqual([['two', 'one', 'none']]);
  });

  it('caches nothing: a lookup in the next turn reads again', async () => {
    await lookup.load(ONE);
    await lookup.load(ONE);

    expect(asked).toEqual([['one'], ['one']]);
  });

  it('never returns a row that was read before the lookup', async () => {
    let read!: (rows: string[]) => void;
    const answers = ['before', 'after'];
    lookup = batchedLookup(() => {
      const answer = answers.shift()!;
      return answer === 'after' ? Promise.resolve([answer]) : new Promise((resolve) => (read = resolve));
    });
    const first = lookup.load(ONE);
    await nextTurn();
    const second = lookup.load(ONE);
    expect(await second).toBe('after');
    read(['before']);
    expect(await first).toBe('before');
  });

  it('fails all lookups of a batch when its statement fails, and none of the next batch', async () => {
    failure = new Error('gone');
    const outcomes = await Promise.allSettled([lookup.load(ONE), lookup.load(TWO)]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);

    failure = undefined;
    expect(await lookup.load(ONE)).toBe('row of one');
  });
});
