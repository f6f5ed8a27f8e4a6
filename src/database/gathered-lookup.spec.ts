import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatheredLookup } from './gathered-lookup.js';

const [ONE, TWO, NONE] = ['one', 'two', 'none'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

describe('a gathered lookup', () => {
  let asked: string[][];
  let failure: Error | undefined;
  let lookup: GatheredLookup<string>;

  beforeEach(() => {
    asked = [];
    failure = undefined;
    lookup = new GatheredLookup((hashes) => {
      asked.push(hashes.map(String));
      if (failure !== undefined) return Promise.reject(failure);
      return Promise.resolve(hashes.map((hash) => (hash.equals(NONE) ? undefined : `row of ${String(hash)}`)));
    });
  });

  it('asks once for what is looked up in one turn of the event loop, and gives everybody their own', async () => {
    const rows = await Promise.all([TWO, ONE, NONE, TWO].map((hash) => lookup.get(hash)));

    expect(rows).toEqual(['row of two', 'row of one', undefined, 'row of two']);
    expect(asked).toEqual([['two', 'one', 'none']]);
  });

  it('keeps nothing: what is looked up in another turn is asked again', async () => {
    await lookup.get(ONE);
    await lookup.get(ONE);

    expect(asked).toEqual([['one'], ['one']]);
  });

  it('never answers with what was read before it was asked', async () => {
    let read!: (rows: string[]) => void;
    const answers = ['before', 'after'];
    lookup = new GatheredLookup(() => {
      const answer = answers.shift()!;
      return answer === 'after' ? Promise.resolve([answer]) : new Promise((resolve) => (read = resolve));
    });
    const first = lookup.get(ONE);
    await nextTurn();
    const second = lookup.get(ONE);
    expect(await second).toBe('after');
    read(['before']);
    expect(await first).toBe('before');
  });

  it('fails for all who waited, and for nobody after them', async () => {
    failure = new Error('gone');
    const outcomes = await Promise.allSettled([lookup.get(ONE), lookup.get(TWO)]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);

    failure = undefined;
    expect(await lookup.get(ONE)).toBe('row of one');
  });
});
