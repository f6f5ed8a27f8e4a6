import { DataSource } from 'typeorm';
import { singleStatement, statement } from '../../src/persistence/statement.js';
import { Statements, type Transaction } from '../../src/persistence/statements.js';
import { UnitOfWork } from '../../src/persistence/unit-of-work.js';
import { sharedApplication } from '../support/application/shared-application.js';

const INSERT = statement<never, [id: number]>('test_unit_insert', 'INSERT INTO notes (id) VALUES ($1)');
/** As statements are that record their own change. */
const CHANGE = { ...INSERT, isChange: true } as typeof INSERT;
const READ = statement<{ id: number }>('test_unit_read', 'SELECT id FROM notes ORDER BY id');
const CONNECTION = statement<{ pid: number }>('test_unit_connection', 'SELECT pg_backend_pid() AS pid');
const LIMIT = statement<{ limit: string }>('test_unit_limit', `SELECT current_setting('statement_timeout') AS limit`);
const DEADLOCK = singleStatement<object, []>('test_unit_deadlock', 'SELECT deadlock_once()');

describe('a unit of work', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: '3', DATABASE_STATEMENT_TIMEOUT_MS: '20000' } });
  let statements: Statements;

  const ids = async (): Promise<number[]> =>
    (await app.rows<{ id: number }>('SELECT id FROM notes ORDER BY id')).map(({ id }) => id);

  const nothing = (): Promise<void> => Promise.resolve();

  const add =
    (id: number) =>
    async (tx: Transaction): Promise<void> => {
      await tx.write(INSERT, [id]);
    };

  beforeAll(async () => {
    statements = new Statements(app.application.get(DataSource));
    await app.rows('CREATE TABLE notes (id integer PRIMARY KEY)');
    await app.rows('CREATE SEQUENCE deadlocks');
    await app.rows('GRANT ALL ON SEQUENCE deadlocks TO PUBLIC');
    await app.rows(`CREATE FUNCTION deadlock_once() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('deadlocks') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
      END $$`);
  });

  beforeEach(() => app.rows('TRUNCATE notes'));

  it('commits its changes, its beginning and its end together', async () => {
    const work = async (): Promise<number[]> => {
      await statements.write(CHANGE, [2]);
      await statements.transaction(add(3));
      expect(await ids()).toEqual([]);
      return (await statements.rows(READ, [])).map(({ id }) => id);
    };

    const seen = await statements.unitOfWork(work, add(1), (tx, result) => add(result.length + 1)(tx));

    expect(seen).toEqual([1, 2, 3]);
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  it('leaves nothing behind when its work, its beginning or its end fails', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('as the test wants'));
    const change = async (): Promise<void> => {
      await statements.write(CHANGE, [2]);
    };

    await expect(statements.unitOfWork(() => change().then(fail), add(1), add(3))).rejects.toThrow('as the test');
    await expect(statements.unitOfWork(change, fail, add(3))).rejects.toThrow('as the test');
    await expect(statements.unitOfWork(change, add(1), fail)).rejects.toThrow('as the test');

    expect(await ids()).toEqual([]);
  });

  it('fails with its beginning also when its work takes that for nothing', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('as the test wants'));
    const work = (): Promise<unknown> => statements.write(CHANGE, [2]).catch(() => undefined);

    await expect(statements.unitOfWork(work, fail, nothing)).rejects.toThrow('as the test wants');
  });

  it('goes on after a part that has failed, without what the part has changed', async () => {
    const work = async (): Promise<string[]> => {
      await statements.transaction(add(2));
      const failed = statements.transaction(async (tx) => {
        await add(3)(tx);
        await add(2)(tx);
      });
      const message = await failed.then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
      await statements.write(CHANGE, [4]);
      return [message];
    };

    const [message] = await statements.unitOfWork(work, nothing, nothing);

    expect(message).toContain('notes_pkey');
    expect(await ids()).toEqual([2, 4]);
  });

  it('begins no transaction before the first change, so that what is read before holds no connection', async () => {
    const begun: string[] = [];
    const work = async (): Promise<void> => {
      // As many as there are connections, each of which would wait for another one.
      await Promise.all([1, 2, 3, 4].map(() => statements.first(CONNECTION, [])));
      begun.push('read');
      await statements.write(CHANGE, [1]);
    };
    const begin = (): Promise<void> => Promise.resolve(void begun.push('begun'));

    await statements.unitOfWork(work, begin, nothing);

    expect(begun).toEqual(['read', 'begun']);
  });

  it('reads on one connection after the first change, and parts at the same time follow one another', async () => {
    const connections = new Set<number>();
    const remember = async (tx: Pick<Statements, 'first'>): Promise<void> => {
      connections.add((await tx.first(CONNECTION, []))!.pid);
    };
    const work = async (): Promise<void> => {
      await statements.write(CHANGE, [1]);
      await Promise.all([
        statements.transaction(async (tx) => {
          await remember(tx);
          await remember(statements);
          await add(2)(tx);
        }),
        remember(statements),
        statements.transaction(add(3)),
        expect(statements.transaction(add(1))).rejects.toThrow(),
        statements.write(CHANGE, [4]),
      ]);
    };

    await statements.unitOfWork(work, nothing, nothing);

    expect(connections.size).toBe(1);
    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  it('has the time limits of the pool that its first change is meant for', async () => {
    const limitOf = (tx: Transaction): Promise<string> => tx.first(LIMIT, []).then((row) => row!.limit);
    const alone = await statements.bulk.transaction(limitOf);

    const within = await statements.unitOfWork(() => statements.bulk.transaction(limitOf), nothing, nothing);

    expect(within).toBe(alone);
    expect(within).not.toBe(await statements.transaction(limitOf));
  });

  it('is repeated as a whole after a deadlock', async () => {
    const begun: number[] = [];
    const work = async (): Promise<void> => {
      await statements.write(CHANGE, [2]);
      await statements.transaction((tx) => tx.write(DEADLOCK, []));
    };

    await statements.unitOfWork(work, async (tx) => void begun.push(await tx.write(INSERT, [1])), nothing);

    expect(begun).toEqual([1, 1]);
    expect(await ids()).toEqual([1, 2]);
  });

  it('ends for work that it has left behind, which then changes the database by itself', async () => {
    let goOn: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    let left: Promise<unknown> = Promise.resolve();
    const work = async (): Promise<void> => {
      await statements.write(CHANGE, [1]);
      left = wait.then(() => statements.write(CHANGE, [2]));
    };

    // Another one is under way, so that the storage is enabled.
    await statements.unitOfWork(
      async () => {
        await statements.unitOfWork(work, nothing, nothing);
        goOn();
        await left;
        expect(await ids()).toEqual([1, 2]);
      },
      nothing,
      nothing,
    );

    expect(UnitOfWork.current()).toBeUndefined();
  });
});
