import type { PatternSearch } from '../../../../packages/patterns/index.js';
import { CustomSearch, type SearchedPattern } from './custom-search.js';

/** A legal pattern that takes many seconds in a long text of one letter. */
const SLOW = '(?:x{0,900}y){13}';
const LONG_TEXT = 'x'.repeat(2_000_000);

describe('a search for custom patterns', () => {
  let search: CustomSearch;

  beforeEach(() => {
    search = new CustomSearch();
  });

  afterEach(() => search.onApplicationShutdown());

  function searched(organizationId: string, searches: readonly PatternSearch[]) {
    const found: (SearchedPattern & { offsets: number[] })[] = [];
    return search
      .search(searches, { organizationId }, (place, matches) => found.push({ ...place, offsets: [...matches] }))
      .then((refused) => ({ refused, found }));
  }

  it('finds the matches of each pattern in each text', async () => {
    const texts = ['abba', 'b'].map((text) => ({ patterns: ['a+', 'b+'], text, maximum: 10 }));

    expect(await searched('one', texts)).toEqual({
      refused: undefined,
      found: [
        { search: 0, pattern: 0, offsets: [0, 1, 3, 4] },
        { search: 0, pattern: 1, offsets: [1, 3] },
        { search: 1, pattern: 0, offsets: [] },
        { search: 1, pattern: 1, offsets: [0, 1] },
      ],
    });
  });

  it('names the pattern that takes too long, and goes on with the next request', async () => {
    expect(await searched('one', [{ patterns: ['a', SLOW, 'b'], text: LONG_TEXT, maximum: 1 }])).toMatchObject({
      refused: { search: 0, pattern: 1 },
      found: [{ pattern: 0 }],
    });
    expect((await searched('one', [{ patterns: ['a'], text: 'a', maximum: 1 }])).found).toHaveLength(1);
  });

  it('lets another organization in behind one turn of one with many slow searches', async () => {
    let done = 0;
    const hostile = Array.from({ length: 4 }, () =>
      searched('hostile', [{ patterns: [SLOW], text: LONG_TEXT, maximum: 1 }]).then(() => (done += 1)),
    );
    const other = await searched('other', [{ patterns: ['a'], text: 'a', maximum: 1 }]);
    const doneBefore = done;
    await Promise.all(hostile);

    expect(other).toEqual({ refused: undefined, found: [{ search: 0, pattern: 0, offsets: [0, 1] }] });
    expect(doneBefore).toBeLessThanOrEqual(1);
  });

  it('ends with the reason of the signal while it waits', async () => {
    const first = searched('one', [{ patterns: [SLOW], text: LONG_TEXT, maximum: 1 }]);
    const reason = new Error('the client is gone');
    const waiting = search.search(
      [{ patterns: ['a'], text: 'a', maximum: 1 }],
      { organizationId: 'one', signal: AbortSignal.abort(reason) },
      () => undefined,
    );

    await expect(waiting).rejects.toBe(reason);
    await first;
  });
});
