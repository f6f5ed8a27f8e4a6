import { DataSource } from 'typeorm';
import { Batcher } from '../../src/concurrency/batcher.js';
import { Coalescer } from '../../src/concurrency/coalescer.js';
import { OrganizationCache } from '../../src/concurrency/organization-cache.js';
import { currentScope } from '../../src/concurrency/request-scope.js';
import { poolOf } from '../../src/persistence/connection-pool.js';
import { ReadByEdition } from '../../src/persistence/read-by-edition.js';
import { RepeatedWork } from '../../src/persistence/repeated-work.js';
import { statement } from '../../src/persistence/statement.js';
import { Statements, type Transaction } from '../../src/persistence/statements.js';
import { sharedApplication } from '../support/application/shared-application.js';

const INSERT = statement<never, [id: number]>('test_left_insert', 'INSERT INTO notes (id) VALUES ($1)');
/** As statements are that record their own change. */
const CHANGE = { ...INSERT, isChange: true } as typeof INSERT;
const READ = statement<{ id: number }>('test_left_read', 'SELECT id FROM notes ORDER BY id');
const COUNT = statement<{ count: number }>('test_left_count', 'SELECT count(*)::int AS count FROM notes');

describe('work that a unit of work, a part of it or a transaction leaves behind', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: '2' } });
  let statements: Statements;

  const ids = async (): Promise<number[]> =>
    (await app.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);
  const count = async (of: Pick<Statements, 'first'> = statements): Promise<number> =>
    (await of.first(COUNT, []))!.count;
  const nothing = (): Promise<void> => Promise.resolve();
  const fail = (): Promise<never> => Promise.reject(new Error('as the test wants'));
  const unit = <Result>(work: () => Promise<Result>): Promise<Result> =>
    statements.unitOfWork(work, nothing, nothing, 'createThing');
  const errors = (): string[] =>
    app.logLines.flatMap((line) => {
      const { level, message } = JSON.parse(line) as { level: string; message: string };
      return level === 'error' ? [message.split('\n')[0]!] : [];
    });

  beforeAll(async () => {
    statements = new Statements(app.application.get(DataSource));
    await app.rows('CREATE TABLE notes (id integer PRIMARY KEY)');
  });

  beforeEach(() => app.rows('TRUNCATE notes'));

  it('is committed with the unit where it has begun before the end', async () => {
    let left: Promise<unknown> = Promise.resolve();
    await unit(async () => {
      await statements.write(CHANGE, [1]);
      left = statements.transaction(async (tx) => {
        await tx.write(INSERT, [2]);
        await statements.write(CHANGE, [3]);
      });
    });

    expect(await ids()).toEqual([1, 2, 3]);
    await left;
  });

  it('never begins where it waited for another part when the unit failed', async () => {
    const begun: string[] = [];
    let [fulfil, left]: [() => void, Promise<unknown>[]] = [() => undefined, []];
    const wait = new Promise<void>((resolve) => (fulfil = resolve));
    const part = (name: string, work: () => Promise<void>): Promise<unknown> =>
      statements.transaction((tx) => {
        begun.push(name);
        return work().then(() => tx.write(INSERT, [begun.length]));
      });

    const failed = unit(async () => {
      left = [part('first', () => wait), part('second', nothing), statements.write(CHANGE, [7])];
      await app.rows('SELECT');
      setImmediate(fulfil);
      return fail();
    });

    await expect(failed).rejects.toThrow('as the test wants');
    const outcomes = (await Promise.allSettled(left)).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as Error).message : outcome.status,
    );
    const refused = 'createThing has failed before';
    expect([begun, outcomes, await ids()]).toEqual([['first'], ['fulfilled', refused, refused], []]);
  });

  it('is refused on the client of a transaction that has ended, and the log says whose statement it was', async () => {
    let kept!: Transaction;
    await statements.transaction((tx) => Promise.resolve(void (kept = tx)));

    await expect(kept.write(INSERT, [1])).rejects.toThrow('came after its client was given back');
    expect(await ids()).toEqual([]);
    expect(errors()).toContainEqual(
      expect.stringContaining('the statement "test_left_insert" of a transaction came after its client was given back'),
    );
  });

  it('is refused on the client of a part that was rolled back, and the log names the unit', async () => {
    await unit(async () => {
      let left: Promise<unknown> = Promise.resolve();
      const part = statements.transaction(async (tx) => {
        left = count(tx).then(() => tx.write(INSERT, [1]));
        await Promise.all([left, fail()]);
      });
      await expect(part).rejects.toThrow('as the test wants');
      await expect(left).rejects.toThrow('came after its client was given back');
      await statements.write(CHANGE, [2]);
    });

    expect(await ids()).toEqual([2]);
    expect(errors()).toContainEqual(
      expect.stringContaining('the statement "test_left_insert" of createThing came after its client was given back'),
    );
  });

  const begin: Readonly<Record<string, (look: () => Promise<number>) => Promise<unknown>>> = {
    'the read of a Coalescer': (look) => new Coalescer(String, () => [look()]).get('x'),
    'the work of a Batcher': (look) =>
      new Batcher(async () => [{ status: 'fulfilled', value: await look() }], 1).run('organization', 'x'),
    'both reads of a ReadByEdition': (look) => new ReadByEdition(async () => String(await look()), look).get(),
    'a run of RepeatedWork': (look) => repeated(look).run(),
  };

  const repeated = (work: () => Promise<unknown>): RepeatedWork =>
    new RepeatedWork(work, {
      intervalMs: 3_600_000,
      failure: 'failed',
      logger: { warn: (message) => expect(message).toBeUndefined() },
    });

  it.each(Object.keys(begin))('does not stand in the unit that has begun it, if it is %s', async (name) => {
    const seen: unknown[] = [];
    const look = async (): Promise<number> => {
      const before = currentScope();
      const found = await count();
      seen.push(before, currentScope());
      return found;
    };

    await unit(async () => {
      await begin[name]!(look);
      await statements.write(CHANGE, [1]);
    });

    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((scope) => scope !== undefined)).toEqual([]);
  });

  it('does not stand in the unit that has begun it, if it is a connection that is opened', async () => {
    const pool = poolOf(app.application.get(DataSource));
    const seen: unknown[] = [];
    const connect = pool.connect.bind(pool) as (callback: unknown) => void;
    const spy = jest.spyOn(pool, 'connect').mockImplementation((callback?: unknown) => {
      seen.push(currentScope());
      connect(callback);
    });

    await unit(() => statements.write(CHANGE, [1]));
    spy.mockRestore();

    expect(seen).toEqual([undefined]);
  });

  it('is done once the unit is committed, where it was woken: it sees what was changed', async () => {
    const seen: number[] = [];
    let done: () => void = () => undefined;
    const isDone = new Promise<void>((resolve) => (done = resolve));
    const worker = repeated(async () => {
      seen.push(await count());
      done();
    });

    await expect(
      unit(() =>
        statements
          .write(CHANGE, [1])
          .then(() => worker.wake())
          .then(fail),
      ),
    ).rejects.toThrow();
    await unit(async () => {
      await statements.write(CHANGE, [1]);
      worker.wake();
      await statements.write(CHANGE, [2]);
    });
    await isDone;

    expect(seen).toEqual([2]);
  });

  it('shares no read with others once the unit has changed something, and keeps nothing of it', async () => {
    const list = async (): Promise<string> => (await statements.rows(READ, [])).map(({ id }) => id).join();
    const reads = new Coalescer<string, string>(String, (keys) => keys.map(list));
    const contents = new ReadByEdition(async () => String(await count()), list);
    const cache = new OrganizationCache<object>(1_000);
    let [changed, end] = [(): void => undefined, (): void => undefined];
    const hasChanged = new Promise<void>((resolve) => (changed = resolve));
    const mayEnd = new Promise<void>((resolve) => (end = resolve));
    const ofUnit: unknown[] = [];

    const failed = unit(async () => {
      await statements.write(CHANGE, [1]);
      changed();
      ofUnit.push(await Promise.all([reads.get('x'), contents.get()]));
      cache.set('organization', 'x', {}, 1);
      await mayEnd;
      return fail();
    });
    await hasChanged;
    const ofOthers = await Promise.all([reads.get('x'), contents.get()]);
    end();
    await expect(failed).rejects.toThrow('as the test wants');
    await app.rows('INSERT INTO notes (id) VALUES (7)');

    expect([ofUnit, ofOthers]).toEqual([[['1', '1']], ['', '']]);
    // Of the same edition as what was rolled back.
    expect(await contents.get()).toBe('7');
    expect(cache.get('organization', 'x')).toBeUndefined();
  });
});
