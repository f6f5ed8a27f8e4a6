import { setImmediate as nextTurn } from 'node:timers/promises';
import { Coalescer } from './coalescer.js';

describe('Coalescer', () => {
  let asked: string[];
  let answers: Map<string, (() => Promise<string>)[]>;
  let reads: Coalescer<{ id: string }, string>;

  beforeEach(() => {
    asked = [];
    answers = new Map();
    reads = new Coalescer(
      ({ id }) => id,
      (keys) =>
        keys.map(({ id }) => {
          asked.push(id);
          return answers.get(id)?.shift()?.() ?? Promise.resolve(`content of ${id}`);
        }),
    );
  });

  it('reads each thing once for all callers in one turn of the event loop', async () => {
    const contents = await Promise.all(['a', 'b', 'a', 'a'].map((id) => reads.get({ id })));

    expect(contents).toEqual(['content of a', 'content of b', 'content of a', 'content of a']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('begins without waiting for the turn to end while nothing else is being read', async () => {
    void reads.get({ id: 'a' });
    await Promise.resolve();
    await Promise.resolve();

    expect(asked).toEqual(['a']);
  });

  it('shares a read among all callers in one turn while something else is being read', async () => {
    answers.set('slow', [() => new Promise(() => undefined)]);
    void reads.get({ id: 'slow' });
    await nextTurn();
    const first = reads.get({ id: 'a' });
    await Promise.resolve();
    await Promise.resolve();
    const second = reads.get({ id: 'a' });

    expect(await Promise.all([first, second])).toEqual(['content of a', 'content of a']);
    expect(asked).toEqual(['slow', 'a']);
  });

  it('reads all that is asked for in one turn together', async () => {
    const statements: string[][] = [];
    const together = new Coalescer<string, string>(
      (id) => id,
      (ids) => {
        statements.push([...ids]);
        return ids.map((id) => Promise.resolve(`row of ${id}`));
      },
    );
    expect(await Promise.all(['b', 'a', 'b'].map((id) => together.get(id)))).toEqual([
      'row of b',
      'row of a',
      'row of b',
    ]);
    expect(await together.get('a')).toBe('row of a');

    expect(statements).toEqual([['b', 'a'], ['a']]);
  });

  it('never returns what was read before it was asked for', async () => {
    let finish!: (content: string) => void;
    answers.set('a', [() => new Promise((resolve) => (finish = resolve)), () => Promise.resolve('after')]);
    const first = reads.get({ id: 'a' });
    await nextTurn();
    await nextTurn();
    const second = reads.get({ id: 'a' });

    expect(await second).toBe('after');
    finish('before');
    expect(await first).toBe('before');
  });

  it('does not make a caller wait for a read of something else', async () => {
    answers.set('slow', [() => new Promise(() => undefined)]);
    void reads.get({ id: 'slow' });

    expect(await reads.get({ id: 'quick' })).toBe('content of quick');
  });

  it('fails all callers that share a read that fails, and no others', async () => {
    const failure = new Error('gone');
    answers.set('a', [() => Promise.reject(failure)]);
    const outcomes = await Promise.allSettled([reads.get({ id: 'a' }), reads.get({ id: 'a' }), reads.get({ id: 'b' })]);

    expect(outcomes).toEqual([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'content of b' },
    ]);
    expect(await reads.get({ id: 'a' })).toBe('content of a');
  });
});
