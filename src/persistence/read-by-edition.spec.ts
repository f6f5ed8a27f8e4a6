import { SerializedRead } from './read-by-edition.js';

describe('SerializedRead', () => {
  /** Reads that end when they are told to, each with its number. */
  function controlledReads(): { readonly shared: SerializedRead<number>; readonly ends: ((error?: Error) => void)[] } {
    const ends: ((error?: Error) => void)[] = [];
    const read = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const number = ends.length + 1;
        ends.push((error) => (error === undefined ? resolve(number) : reject(error)));
      });
    return { shared: new SerializedRead(read), ends };
  }

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('reads once for those who ask while something is being read, and after they have asked', async () => {
    const { shared, ends } = controlledReads();
    const first = shared.get();
    const others = [shared.get(), shared.get(), shared.get()];
    expect(ends).toHaveLength(1);

    ends[0]!();
    expect(await first).toBe(1);
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
  });

  it('reads anew for a caller that asks later', async () => {
    const { shared, ends } = controlledReads();
    for (const number of [1, 2]) {
      const asked = shared.get();
      ends[number - 1]!();
      expect(await asked).toBe(number);
    }
  });

  it('never answers with a read that had begun before it was asked', async () => {
    const { shared, ends } = controlledReads();
    const first = shared.get();
    const second = shared.get();
    ends[0]!();
    await first;
    await turn();
    // The second read has begun for the second caller.
    const third = shared.get();
    ends[1]!();
    expect(await second).toBe(2);
    await turn();
    ends[2]!();
    expect(await third).toBe(3);
  });

  it('reads once for those who ask when a read ends, and those who have waited for its end', async () => {
    const { shared, ends } = controlledReads();
    const first = shared.get();
    const waiting = shared.get();
    const asking = first.then(() => shared.get());
    ends[0]!();
    await first;
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(await Promise.all([waiting, asking])).toEqual([2, 2]);
  });

  it('fails those alone whom a failed read would have answered', async () => {
    const { shared, ends } = controlledReads();
    const first = shared.get();
    const second = shared.get();
    ends[0]!(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await turn();
    ends[1]!();
    expect(await second).toBe(2);
  });
});
