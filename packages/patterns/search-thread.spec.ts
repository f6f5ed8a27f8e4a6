import { type PatternMatches, type SearchLimits, type SearchProgress, SearchThread } from './search-thread.js';

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

  /** The matches of patterns in texts as lines `text pattern: offsets`, and how far the search has come. */
  async function searched(
    patterns: readonly string[],
    texts: readonly string[],
    { maximum = 100, ...limits }: Partial<SearchLimits & { maximum: number }> = {},
    from = { text: 0, pattern: 0 },
  ): Promise<SearchProgress & { lines: string[] }> {
    const lines: string[] = [];
    const take = ({ text, pattern, offsets }: PatternMatches): number =>
      lines.push(`${text} ${pattern}: ${offsets.join()}`);
    const progress = await thread.search({ patterns, texts, maximum }, from, { ...UNLIMITED, ...limits }, take);
    return { ...progress, lines };
  }

  it('reports start and end of each match, in code units, for each pattern in each text', async () => {
    const { lines, place, hasFailed } = await searched(['b+', 'z', '(?i)A'], ['🎉abba', '', 'B', 'b']);

    expect(lines).toEqual(['0 0: 3,5', '0 2: 2,3,5,6', '3 0: 0,1']);
    expect({ place, hasFailed }).toEqual({ place: { text: 4, pattern: 0 }, hasFailed: false });
  });

  it('leaves empty matches out', async () => {
    expect((await searched(['b*'], ['abba', 'a'])).lines).toEqual(['0 0: 1,3']);
  });

  it('reports no more matches than it may', async () => {
    expect((await searched(['a'], ['aaaaa'], { maximum: 2 })).lines).toEqual(['0 0: 0,1,1,2']);
  });

  it('begins where it is told', async () => {
    expect((await searched(['a', 'b'], ['ab', 'ab'], {}, { text: 0, pattern: 1 })).lines).toEqual([
      '0 1: 1,2',
      '1 0: 0,1',
      '1 1: 1,2',
    ]);
  });

  it('reports the matches of the patterns before one that takes too much memory, names that, and works on after it', async () => {
    expect(await searched(['a', TOO_LARGE, 'b'], ['c', 'ab'], {}, { text: 1, pattern: 0 })).toMatchObject({
      lines: ['1 0: 0,1'],
      place: { text: 1, pattern: 1 },
      hasFailed: true,
    });
    expect((await searched(['b'], ['ab'])).lines).toEqual(['0 0: 1,2']);
  });

  it('says that it has failed and took the whole time when that is over before a pattern was searched for', async () => {
    expect(await searched([TOO_LARGE], ['a'], { sliceMs: 1, limitMs: 1 })).toEqual({
      lines: [],
      place: { text: 0, pattern: 0 },
      milliseconds: 1,
      hasFailed: true,
    });
  });

  it('goes on beyond its time as long as it may', async () => {
    const may = jest.fn(() => true);
    const { hasFailed } = await searched(['a'], [`${'b'.repeat(2_000_000)}a`], { limitMs: 0, mayGoOn: may });

    expect(hasFailed).toBe(false);
    expect(may).toHaveBeenCalled();
  });

  it.each([
    { from: { text: 0, pattern: 0 }, to: { text: 0, pattern: 1 } },
    { from: { text: 0, pattern: 1 }, to: { text: 1, pattern: 0 } },
    { from: { text: 1, pattern: 1 }, to: { text: 2, pattern: 0 } },
  ])('stops after the pattern with which its slice is over, from $from.text, $from.pattern', async ({ from, to }) => {
    const { lines, place, hasFailed } = await searched(['a', 'b'], ['ab', 'ab'], { sliceMs: 0 }, from);

    expect({ count: lines.length, place, hasFailed }).toEqual({ count: 1, place: to, hasFailed: false });
  });

  it('searches for many more patterns than it has memory for when they are compiled', async () => {
    const patterns = Array.from({ length: 2_000 }, (_, number) => `^[a-z]{300}${number}`);

    expect((await searched([...patterns, 'a'], ['a'])).lines).toEqual(['0 2000: 0,1']);
  });
});
