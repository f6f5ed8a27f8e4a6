import type { PatternSearch, SearchedPart, SearchLimits } from '../../../../packages/patterns/index.js';
import { TooManyContentScans } from '../content.errors.js';
import { FairSearch, type Searcher } from './fair-search.js';
import type { SearchedPattern } from './search-progress.js';

/** Takes a time for each pattern, which the pattern says: `a:300` takes 300 ms. Each search lasts until the test ends it. */
class ScriptedThread implements Searcher {
  /** The texts that were searched, in order. */
  readonly searched: string[] = [];
  private end: (() => void) | undefined;

  constructor(private readonly clock: { now: number }) {}

  async search({ patterns, text }: PatternSearch, { sliceMs, limitMs }: SearchLimits): Promise<SearchedPart> {
    this.searched.push(text);
    await new Promise<void>((resolve) => (this.end = resolve));
    const matches: Int32Array[] = [];
    let milliseconds = 0;
    for (const pattern of patterns) {
      milliseconds += Number(pattern.split(':')[1]);
      if (milliseconds > limitMs) break;
      matches.push(Int32Array.of(0, 1));
      if (milliseconds >= sliceMs) break;
    }
    const hasFailed = milliseconds > limitMs;
    this.clock.now += Math.min(milliseconds, limitMs);
    return { matches, milliseconds: Math.min(milliseconds, limitMs), hasFailed };
  }

  /** Whether it is searching. */
  get isBusy(): boolean {
    return this.end !== undefined;
  }

  async endSearch(): Promise<void> {
    await turnOfTheLoop();
    const { end } = this;
    this.end = undefined;
    end!();
    await turnOfTheLoop();
  }
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('FairSearch', () => {
  let clock: { now: number };
  let quick: ScriptedThread;
  let patient: ScriptedThread;
  let search: FairSearch;
  let found: SearchedPattern[];

  beforeEach(() => {
    clock = { now: 0 };
    [quick, patient] = [new ScriptedThread(clock), new ScriptedThread(clock)];
    search = new FairSearch({ quick, patient }, () => clock.now);
    found = [];
  });

  /** A request of an organization: the time of each pattern, for each of its texts. */
  function ask(organizationId: string, ...texts: readonly number[][]): Promise<SearchedPattern | undefined> {
    const searches = texts.map((times, index) => ({
      text: `${organizationId}${index}`,
      patterns: times.map((time, position) => `${position}:${time}`),
      maximum: 1,
    }));
    return search.search(searches, { organizationId }, (pattern) => found.push(pattern));
  }

  /** Ends searches of both threads until there are none. */
  async function endAll(): Promise<void> {
    await turnOfTheLoop();
    while (quick.isBusy || patient.isBusy) {
      for (const thread of [quick, patient]) if (thread.isBusy) await thread.endSearch();
    }
  }

  it('searches all texts of a request in one turn while others wait', async () => {
    const all = [ask('a', [1], [1], [1]), ask('b', [1], [1])];
    await endAll();
    await Promise.all(all);

    expect(quick.searched).toEqual(['a0', 'a1', 'a2', 'b0', 'b1']);
    expect(found).toHaveLength(5);
  });

  it('lets others search after a slice, and goes on behind them with the next pattern', async () => {
    const all = [ask('a', [200, 100, 100]), ask('b', [1])];
    await endAll();

    expect(await Promise.all(all)).toEqual([undefined, undefined]);
    expect(quick.searched).toEqual(['a0', 'b0', 'a0']);
    expect(found.map(({ pattern }) => pattern)).toEqual([0, 1, 0, 2]);
  });

  it('lets the organization search next that has used least time lately, not the one that came first', async () => {
    const first = [ask('a', [200]), ask('d', [100])];
    await endAll();
    await Promise.all(first);
    const all = [ask('b', [1]), ask('c', [1]), ask('a', [1]), ask('d', [1])];
    await endAll();
    await Promise.all(all);

    expect(quick.searched.slice(first.length)).toEqual(['b0', 'c0', 'd0', 'a0']);
  });

  it('has one turn of an organization at a time, and its requests in the order in which they came', async () => {
    const all = [ask('a', [300, 1]), ask('a', [2])];
    await turnOfTheLoop();
    expect([quick.isBusy, patient.isBusy]).toEqual([true, false]);
    await endAll();
    await Promise.all(all);

    expect(quick.searched).toHaveLength(3);
  });

  it('searches for a pattern that is slow in the other thread, from where it was, while others have the quick one', async () => {
    const slow = ask('a', [1, 4_000, 1]);
    await quick.endSearch();
    const other = ask('b', [1]);
    await turnOfTheLoop();
    expect([quick.isBusy, patient.isBusy]).toEqual([true, true]);
    await quick.endSearch();
    expect(await other).toBeUndefined();

    await endAll();
    expect(await slow).toBeUndefined();
    expect([quick.searched, patient.searched]).toEqual([
      ['a0', 'b0'],
      ['a0', 'a0'],
    ]);
    expect(found).toHaveLength(4);
  });

  it('keeps an organization that has searched for long off the quick thread, until that is forgotten', async () => {
    const slow = ask('a', [4_000]);
    await endAll();
    await slow;
    const next = ask('a', [1]);
    await endAll();
    await next;
    expect([quick.searched.length, patient.searched.length]).toEqual([1, 2]);

    clock.now += 60_000;
    const last = ask('a', [1]);
    await endAll();
    await last;
    expect([quick.searched.length, patient.searched.length]).toEqual([2, 2]);
  });

  it('refuses the pattern with which one text takes more than five seconds, whatever others have taken', async () => {
    const all = ask('a', [2_000, 2_000], [2_000, 2_000, 2_000], [1]);
    await endAll();

    expect(await all).toEqual({ search: 1, pattern: 2 });
    expect(found).toHaveLength(4);
  });

  it('takes no more than 256 requests of an organization, and those of others', async () => {
    const all = Array.from({ length: 256 }, () => ask('a', [1]));
    await expect(ask('a', [1])).rejects.toThrow(TooManyContentScans);
    all.push(ask('b', [1]));
    await endAll();
    await Promise.all(all);
    const after = ask('a', [1]);
    await endAll();

    expect(await after).toBeUndefined();
  });

  it('ends with the reason of the signal while it waits, and then searches for others', async () => {
    const running = ask('a', [1]);
    const reason = new Error('the client is gone');
    const client = new AbortController();
    const waiting = search.search(
      [{ text: 'b0', patterns: ['0:1'], maximum: 1 }],
      { organizationId: 'b', signal: client.signal },
      () => undefined,
    );
    client.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const last = ask('c', [1]);
    await endAll();
    await Promise.all([running, last]);

    expect(quick.searched).toEqual(['a0', 'c0']);
  });
});
