import { type SearchedPart, SearchThread } from './search-thread.js';

/** More than anything here takes on any machine. */
const UNLIMITED = { sliceMs: 600_000, limitMs: 600_000, longestMs: 600_000, mayGoOn: () => false };

/** Takes more memory than a thread has: what the size of a pattern keeps from every thread. */
const TOO_LARGE = 'x{0,1000}'.repeat(1_600);

describe('SearchThread', () => {
  let thread: SearchThread;

  beforeEach(() => {
    thread = new SearchThread();
  });

  afterEach(() => thread.close());

  async function offsetsOf(patterns: readonly string[], text: string, maximum = 100): Promise<number[][]> {
    return offsetsIn(await thread.search({ patterns, text, maximum }, UNLIMITED));
  }

  function offsetsIn({ matches }: SearchedPart): number[][] {
    return matches.map((offsets) => [...offsets]);
  }

  it('returns start and end of each match, in code units, for each pattern', async () => {
    expect(await offsetsOf(['b+', 'z', '(?i)A'], '🎉abba')).toEqual([[3, 5], [], [2, 3, 5, 6]]);
  });

  it('leaves empty matches out', async () => {
    expect(await offsetsOf(['b*'], 'abba')).toEqual([[1, 3]]);
  });

  it('returns no more matches than it may', async () => {
    expect(await offsetsOf(['a'], 'aaaaa', 2)).toEqual([[0, 1, 1, 2]]);
  });

  it('returns nothing when there are no patterns', async () => {
    expect(await offsetsOf([], 'a')).toEqual([]);
  });

  it('returns the matches of the patterns before one that takes too much memory, and works on after that', async () => {
    expect(await offsetsOf(['a', TOO_LARGE, 'b'], 'ab')).toEqual([[0, 1]]);
    expect(await offsetsOf(['b'], 'ab')).toEqual([[1, 2]]);
  });

  it('says that it has failed and took the whole time when that is over before a pattern was searched for', async () => {
    const search = { patterns: [TOO_LARGE], text: 'a', maximum: 1 };

    expect(await thread.search(search, { ...UNLIMITED, sliceMs: 1, limitMs: 1 })).toEqual({
      matches: [],
      milliseconds: 1,
      hasFailed: true,
    });
  });

  it('goes on beyond its time as long as it may', async () => {
    const search = { patterns: ['a'], text: `${'b'.repeat(2_000_000)}a`, maximum: 1 };
    const may = jest.fn(() => true);

    expect((await thread.search(search, { ...UNLIMITED, limitMs: 0, mayGoOn: may })).hasFailed).toBe(false);
    expect(may).toHaveBeenCalled();
  });

  it('stops after the pattern with which its slice is over', async () => {
    const search = { patterns: ['a', 'b', 'c'], text: 'abc', maximum: 1 };
    const part = await thread.search(search, { ...UNLIMITED, sliceMs: 0 });

    expect(offsetsIn(part)).toEqual([[0, 1]]);
    expect(part.hasFailed).toBe(false);
  });

  it('searches for many more patterns than it has memory for when they are compiled', async () => {
    const patterns = Array.from({ length: 2_000 }, (_, number) => `^[a-z]{300}${number}`);

    expect(await offsetsOf([...patterns, 'a'], 'a')).toEqual([...patterns.map(() => []), [0, 1]]);
  });
});
