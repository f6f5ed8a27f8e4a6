import { QuickTest } from './quick-test.js';
import { SearchThread } from './search-thread.js';

/** More than anything here takes on any machine. */
const TIME_LIMIT_MS = 600_000;

/** Takes more memory than a thread has: what the size of a pattern keeps from every thread. */
const TOO_LARGE = 'x{0,1000}'.repeat(1_600);

describe('SearchThread', () => {
  let thread: SearchThread;

  beforeEach(() => {
    thread = new SearchThread(TIME_LIMIT_MS);
  });

  afterEach(() => thread.close());

  async function offsetsOf(patterns: readonly string[], text: string, maximum = 100): Promise<number[][]> {
    const matches = await thread.search({ patterns, text, maximum });
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

  it('returns fewer matches than patterns when the time is over', async () => {
    const hurried = new SearchThread(1);

    expect(await hurried.search({ patterns: [TOO_LARGE], text: 'a', maximum: 1 })).toEqual([]);
    await hurried.close();
  });
});

describe('QuickTest', () => {
  const small = { size: 10, instructions: 10 };

  it('tells whether a small pattern occurs in a short text', () => {
    expect(new QuickTest('b+', small).occursIn('abba')).toBe(true);
    expect(new QuickTest('c', small).occursIn('abba')).toBe(false);
  });

  it('does not tell for a large pattern or a long text', () => {
    expect(new QuickTest('b', { size: 101, instructions: 10 }).occursIn('b')).toBeUndefined();
    expect(new QuickTest('b', small).occursIn('b'.repeat(10_001))).toBeUndefined();
  });
});
