import { Batcher, type Outcome } from './batcher.js';

/** Batches that are done when the test says so, by the items that they have. */
class Batches {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (failure?: Error) => void>();

  readonly work = async (organizationId: string, items: readonly string[]): Promise<readonly Outcome<string>[]> => {
    const name = `${organizationId}: ${items.join(' ')}`;
    this.begun.push(name);
    await new Promise<void>((resolve, reject) =>
      this.ends.set(name, (failure) => (failure === undefined ? resolve() : reject(failure))),
    );
    return items.map((item) =>
      item === 'bad'
        ? { status: 'rejected', reason: new Error(item) }
        : { status: 'fulfilled', value: `${item} is done` },
    );
  };

  async end(name: string, failure?: Error): Promise<void> {
    this.ends.get(name)!(failure);
    await turnOfTheLoop();
  }
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('Batcher', () => {
  let batches: Batches;
  let work: Batcher<string, string>;

  beforeEach(() => {
    batches = new Batches();
    work = new Batcher(batches.work, 3);
  });

  const run = async (organizationId: string, ...items: string[]): Promise<PromiseSettledResult<string>[]> => {
    const outcomes = Promise.allSettled(items.map((item) => work.run(organizationId, item)));
    await turnOfTheLoop();
    return outcomes;
  };

  it('does at once what comes at the same time, and gives each its own result', async () => {
    const outcomes = run('one', 'a', 'b', 'c');
    await turnOfTheLoop();
    await batches.end('one: a b c');

    expect((await outcomes).map((outcome) => 'value' in outcome && outcome.value)).toEqual([
      'a is done',
      'b is done',
      'c is done',
    ]);
  });

  it('gathers what comes while a batch is being done, for the next one', async () => {
    const all = [run('one', 'a')];
    await turnOfTheLoop();
    all.push(run('one', 'b'));
    await turnOfTheLoop();
    all.push(run('one', 'c'));
    await turnOfTheLoop();
    expect(batches.begun).toEqual(['one: a']);

    await batches.end('one: a');
    expect(batches.begun).toEqual(['one: a', 'one: b c']);
    await batches.end('one: b c');
    await Promise.all(all);
  });

  it('bounds a batch, and does the next one behind it', async () => {
    const all = run('one', 'a', 'b', 'c', 'd');
    await turnOfTheLoop();
    expect(batches.begun).toEqual(['one: a b c']);

    await batches.end('one: a b c');
    expect(batches.begun).toEqual(['one: a b c', 'one: d']);
    await batches.end('one: d');
    await all;
  });

  it('bounds what a batch weighs, and does alone what weighs more', async () => {
    const weighed = new Batcher(batches.work, 9, { of: ({ length }) => length, heaviest: 4 });
    const all = Promise.allSettled(['aa', 'bb', 'cccccc', 'd', 'eee', 'f'].map((item) => weighed.run('one', item)));
    for (const batch of ['aa bb', 'cccccc', 'd eee', 'f']) {
      await turnOfTheLoop();
      expect(batches.begun.at(-1)).toBe(`one: ${batch}`);
      await batches.end(`one: ${batch}`);
    }
    expect((await all).map((outcome) => 'value' in outcome && outcome.value[0])).toEqual([...'abcdef']);
  });

  it('lets no organization wait for another', async () => {
    const first = run('one', 'a');
    await turnOfTheLoop();
    const second = run('two', 'a');
    await turnOfTheLoop();
    expect(batches.begun).toEqual(['one: a', 'two: a']);

    await batches.end('two: a');
    expect(await second).toMatchObject([{ status: 'fulfilled' }]);
    await batches.end('one: a');
    await first;
  });

  it('fails the piece that has failed, and no other of its batch', async () => {
    const all = run('one', 'a', 'bad', 'c');
    await turnOfTheLoop();
    await batches.end('one: a bad c');

    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails every piece of a batch that has failed as a whole, and none of the next', async () => {
    const all = run('one', 'a', 'b');
    await turnOfTheLoop();
    const next = run('one', 'c');
    await turnOfTheLoop();
    await batches.end('one: a b', new Error('gone'));

    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await batches.end('one: c');
    expect(await next).toMatchObject([{ status: 'fulfilled' }]);
  });

  it('keeps nothing of an organization whose work is done', async () => {
    const all = run('one', 'a');
    await turnOfTheLoop();
    await batches.end('one: a');
    await all;

    expect((work as unknown as { batches: Map<string, unknown> }).batches.size).toBe(0);
  });
});
