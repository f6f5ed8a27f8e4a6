import type { PatternMatches } from '../../../../packages/patterns/index.js';
import { CustomSearch } from './custom-search.js';

/** A legal pattern of which the engine makes a state for nearly every character of {@link LONG_TEXT}, for many seconds. */
const SLOW = '[ab]*a[ab]{900}d';
const LONG_TEXT = `cd${lettersOf(2_000_000)}`;

/** Letters a and b in no order, the same ones each time. */
function lettersOf(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => 'ab'[(seed = (seed * 48_271) % 2_147_483_647) % 2]).join('');
}

describe('a search for custom patterns', () => {
  let search: CustomSearch;

  beforeEach(() => {
    search = new CustomSearch();
  });

  afterEach(() => search.onApplicationShutdown());

  async function searched(
    organizationId: string,
    patterns: readonly string[],
    texts: readonly string[],
    signal?: AbortSignal,
  ) {
    const found: PatternMatches[] = [];
    const refused = await search.search({ patterns, texts, maximum: 10 }, { organizationId, signal }, (matches) =>
      found.push(matches),
    );
    return { refused, found };
  }

  it('finds the matches of each pattern in each text', async () => {
    expect(await searched('one', ['a+', 'b+'], ['abba', 'b'])).toEqual({
      refused: undefined,
      found: [
        { text: 0, pattern: 0, offsets: [0, 1, 3, 4] },
        { text: 0, pattern: 1, offsets: [1, 3] },
        { text: 1, pattern: 1, offsets: [0, 1] },
      ],
    });
  });

  it('names the pattern that takes too long, and goes on with the next request', async () => {
    expect(await searched('one', ['c', SLOW, 'e'], ['e', LONG_TEXT])).toMatchObject({
      refused: { text: 1, pattern: 1 },
      found: [
        { text: 0, pattern: 2 },
        { text: 1, pattern: 0 },
      ],
    });
    expect((await searched('one', ['a'], ['a'])).found).toHaveLength(1);
  });

  it('searches many texts for many patterns in seconds', async () => {
    const patterns = Array.from({ length: 1_000 }, (_, number) => `secret${number}[a-z]`);
    const { found } = await searched('one', patterns, [...Array.from({ length: 2_000 }, () => 'x'), 'a secret7x']);

    expect(found).toEqual([{ text: 2_000, pattern: 7, offsets: [2, 10] }]);
  });

  it('lets another organization in behind one turn of one with many slow searches', async () => {
    let done = 0;
    const leaving = new AbortController();
    const hostile = Array.from({ length: 4 }, () =>
      searched('hostile', [SLOW], [LONG_TEXT], leaving.signal).finally(() => (done += 1)),
    );
    const other = await searched('other', ['a'], ['a']);
    const doneBefore = done;
    const ended = Promise.allSettled(hostile);
    leaving.abort();
    await search.onApplicationShutdown();
    await ended;

    expect(other).toEqual({ refused: undefined, found: [{ text: 0, pattern: 0, offsets: [0, 1] }] });
    expect(doneBefore).toBe(1);
  });

  it('ends with the reason of the signal while it waits', async () => {
    const first = searched('one', [SLOW], [LONG_TEXT.slice(0, 100_000)]);
    const reason = new Error('the client is gone');
    const waiting = search.search(
      { patterns: ['a'], texts: ['a'], maximum: 1 },
      { organizationId: 'one', signal: AbortSignal.abort(reason) },
      () => undefined,
    );

    await expect(waiting).rejects.toBe(reason);
    await first;
  });
});
