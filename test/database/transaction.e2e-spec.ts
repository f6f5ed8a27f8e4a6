import { DataSource } from 'typeorm';
import { BulkPool, poolOf } from '../../src/persistence/connection-pool.js';
import { statement } from '../../src/persistence/statement.js';
import { type StatementRunner, Statements } from '../../src/persistence/statements.js';
import { TestApplication } from '../support/application/test-application.js';
import { runOnServer } from '../support/database/test-database.js';
import { until } from '../support/time/until.js';

interface Note {
  readonly id: number;
  readonly text: string;
}

const INSERT = statement<never, [id: number, text: string]>(
  'test_insert',
  'INSERT INTO notes (id, text) VALUES ($1, $2)',
);
const UPDATE = statement<never, [id: number, text: string]>('test_update', 'UPDATE notes SET text = $2 WHERE id = $1');
const READ = statement<Note>('test_read', 'SELECT id, text FROM notes ORDER BY id');
const FAIL = statement<object, [divisor: number]>('test_fail', 'SELECT 1 / $1::int');
const CONNECTION = statement<{ pid: number }>('test_connection', 'SELECT pg_backend_pid() AS pid');
const DEADLOCK = statement<{ attempts: string }>('test_deadlock', 'SELECT deadlock_twice() AS attempts');
const SLEEP = statement<object>('test_sleep', 'SELECT pg_sleep(600)');

/** What a statement may take where the limit itself is tested, in milliseconds: far more than any statement here needs. */
const LIMIT_MS = 1_500;

/** What some wait for until another opens it. */
class Latch {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

describe('a transaction', () => {
  let app: TestApplication;
  let statements: Statements;
  /** On the same database, but with a limit that tests can wait for. */
  let limitedApp: TestApplication;
  let limited: Statements;

  beforeAll(async () => {
    const variables = { DATABASE_POOL_SIZE: '3' };
    app = await TestApplication.start({ variables });
    statements = new Statements(app.application.get(DataSource));
    limitedApp = await TestApplication.start({
      database: app.database,
      variables: { ...variables, DATABASE_STATEMENT_TIMEOUT_MS: String(LIMIT_MS) },
    });
    limited = new Statements(limitedApp.application.get(DataSource));
    await app.rows('CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL)');
  });

  beforeEach(() => app.rows('TRUNCATE notes'));

  afterAll(async () => {
    await limitedApp.stop();
    await app.stop();
  });

  const notes = (): Promise<Note[]> => statements.rows(READ, []);

  const pidOf = async (tx: StatementRunner): Promise<number> => (await tx.first(CONNECTION, []))!.pid;

  /** The connections of the pool that are inside a transaction. */
  const openTransactions = (): Promise<unknown[]> =>
    app.rows(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );

  it('commits all changes and returns the result of its work', async () => {
    const given = await statements.transaction(async (tx) => {
      expect(await tx.write(INSERT, [1, 'one'])).toBe(1);
      expect(await tx.write(INSERT, [2, 'two'])).toBe(1);
      expect(await tx.rows(READ, [])).toHaveLength(2);
      return (await tx.first(READ, []))?.text;
    });

    expect(given).toBe('one');
    expect(await notes()).toEqual([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    expect(await openTransactions()).toEqual([]);
  });

  it('is invisible to others until it commits', async () => {
    await statements.transaction(async (tx) => {
      await tx.write(INSERT, [1, 'one']);
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toHaveLength(1);
  });

  it('runs on one connection', async () => {
    const pids = await statements.transaction(async (tx) => [await pidOf(tx), await pidOf(tx), await pidOf(tx)]);
    expect(new Set(pids).size).toBe(1);
  });

  const REFUSALS = [
    ['the work', () => Promise.reject(new Error('on second thoughts'))],
    ['PostgreSQL', (tx: StatementRunner) => tx.rows(FAIL, [0])],
  ] as const;

  it.each(
    (['transaction', 'bulk transaction'] as const).flatMap((way) =>
      REFUSALS.map(([who, refuse]) => [who, way, refuse] as const),
    ),
  )('rolls back when %s fails in a %s, and passes the error on', async (_, way, refuse) => {
    let attempts = 0;
    const runner = way === 'transaction' ? statements : statements.bulk;
    const attempt = runner.transaction(async (tx) => {
      attempts += 1;
      await tx.write(INSERT, [1, 'one']);
      await refuse(tx);
    });

    await expect(attempt).rejects.toThrow(/on second thoughts|division by zero/);
    expect(attempts).toBe(1);
    expect(await notes()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });

  it('does not commit after an error that its work has caught', async () => {
    const attempt = statements.transaction(async (tx) => {
      await tx.write(INSERT, [1, 'one']);
      await tx.rows(FAIL, [0]).catch(() => undefined);
      return 'all is well';
    });

    await expect(attempt).rejects.toThrow('a statement of the transaction has failed');
    expect(await notes()).toEqual([]);
  });

  it('fails when its commit fails', async () => {
    await app.rows('ALTER TABLE notes ADD CONSTRAINT uq_text UNIQUE (text) DEFERRABLE INITIALLY DEFERRED');
    const attempt = statements.transaction(async (tx) => {
      await tx.write(INSERT, [1, 'same']);
      await tx.write(INSERT, [2, 'same']);
    });

    await expect(attempt).rejects.toMatchObject({ code: '23505', constraint: 'uq_text' });
    expect(await notes()).toEqual([]);
    await app.rows('ALTER TABLE notes DROP CONSTRAINT uq_text');
  });

  it('is repeated after a deadlock', async () => {
    await statements.transaction(async (tx) => {
      await tx.write(INSERT, [1, 'one']);
      await tx.write(INSERT, [2, 'two']);
    });
    let attempts = 0;
    const holding = [new Latch(), new Latch()];
    const ended = [new Latch(), new Latch()];
    const inOrder = async (first: number, second: number, name: string, index: number): Promise<void> => {
      let isRetry = false;
      await statements.transaction(async (tx) => {
        attempts += 1;
        // Otherwise it could take the lock before the other one does, and both would be in a deadlock again.
        if (isRetry) await ended[1 - index]!.opened;
        isRetry = true;
        await tx.write(UPDATE, [first, name]);
        holding[index]!.open();
        await Promise.all(holding.map(({ opened }) => opened));
        await tx.write(UPDATE, [second, name]);
      });
      ended[index]!.open();
    };
    await Promise.all([inOrder(1, 2, 'left', 0), inOrder(2, 1, 'right', 1)]);

    expect(attempts).toBe(3);
    const texts = new Set((await notes()).map(({ text }) => text));
    expect(texts.size).toBe(1);
  });

  it('of a single statement is repeated after a deadlock', async () => {
    await app.rows('CREATE SEQUENCE deadlocks');
    // A sequence goes on also where its statement is rolled back.
    await app.rows(`CREATE FUNCTION deadlock_twice() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF nextval('deadlocks') < 3 THEN RAISE deadlock_detected; END IF;
        RETURN currval('deadlocks');
      END $$`);

    expect(await statements.rows(DEADLOCK, [])).toEqual([{ attempts: '3' }]);
  });

  it('is tried three times, and then fails', async () => {
    let attempts = 0;
    const transient = Object.assign(new Error('could not serialize access'), { code: '40001' });
    const attempt = statements.transaction(async (tx) => {
      attempts += 1;
      await tx.write(INSERT, [attempts, 'one']);
      throw transient;
    });

    await expect(attempt).rejects.toBe(transient);
    expect(attempts).toBe(3);
    expect(await notes()).toEqual([]);
  });

  it('fails when its connection breaks, which is then closed', async () => {
    let lost = 0;
    const attempt = statements.transaction(async (tx) => {
      await tx.write(INSERT, [1, 'one']);
      lost = await pidOf(tx);
      await runOnServer(app.database.url, `SELECT pg_terminate_backend(${lost})`);
      await until(async () => (await app.rows('SELECT FROM pg_stat_activity WHERE pid = $1', [lost])).length === 0);
      await tx.write(INSERT, [2, 'two']);
    });

    await expect(attempt).rejects.toThrow();
    expect(await notes()).toEqual([]);
    const pids = await Promise.all(Array.from({ length: 3 }, () => statements.transaction(pidOf)));
    expect(pids).not.toContain(lost);
  });

  it('ends a statement that takes too long, and keeps its connection', async () => {
    let pid = 0;
    const attempt = limited.transaction(async (tx) => {
      pid = await pidOf(tx);
      await tx.write(INSERT, [1, 'one']);
      await tx.rows(SLEEP, []);
    });

    await expect(attempt).rejects.toMatchObject({ code: '57014' });
    expect(await notes()).toEqual([]);
    expect(await app.rows('SELECT pid FROM pg_stat_activity WHERE pid = $1', [pid])).toHaveLength(1);
    expect(await openTransactions()).toEqual([]);
  });

  it('does not wait for a lock longer than its limit', async () => {
    await statements.write(INSERT, [1, 'one']);
    await statements.transaction(async (tx) => {
      await tx.write(UPDATE, [1, 'mine']);
      const other = limited.transaction((second) => second.write(UPDATE, [1, 'theirs']));
      await expect(other).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await notes()).toEqual([{ id: 1, text: 'mine' }]);
  });

  it('fails when the pool is exhausted, and reports that', async () => {
    const hold = new Latch();
    const holders = Array.from({ length: 3 }, () => limited.transaction(() => hold.opened));
    await expect(limited.transaction(pidOf)).rejects.toThrow(/timeout/);
    hold.open();
    await Promise.all(holders);
    expect(await limited.transaction(pidOf)).toBeGreaterThan(0);
  });

  describe('on the bulk pool', () => {
    const LONGER = statement<object>('test_longer', 'SELECT pg_sleep(1.7)');
    const WRITE_LONGER = statement<never, [id: number, text: string]>(
      'test_write_longer',
      'INSERT INTO notes (id, text) SELECT $1, $2 FROM pg_sleep(1.7)',
    );
    const LIMITS = statement<{ work: string; lock: string }>(
      'test_limits',
      `SELECT current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock`,
    );

    it('has more time for its work, but not to wait for locks', async () => {
      const limits = await limited.bulk.transaction(async (tx) => {
        await tx.rows(LONGER, []);
        return tx.rows(LIMITS, []);
      });

      expect(limits).toEqual([{ work: '30s', lock: '1400ms' }]);
      expect(await limited.rows(LIMITS, [])).toEqual([{ work: '1500ms', lock: '1400ms' }]);
    });

    it('can be a single statement', async () => {
      expect(await limited.bulk.write(WRITE_LONGER, [1, 'one'])).toBe(1);
      expect(await notes()).toEqual([{ id: 1, text: 'one' }]);
    });

    it('fails on a lock of another transaction although it has time for its work', async () => {
      await statements.write(INSERT, [1, 'one']);
      await statements.transaction(async (tx) => {
        await tx.write(UPDATE, [1, 'mine']);
        const other = limited.bulk.transaction(async (second) => {
          await second.rows(LONGER, []);
          await second.write(UPDATE, [1, 'theirs']);
        });
        await expect(other).rejects.toMatchObject({ code: '55P03' });
      });
    });

    it('has half as many connections as the main pool, and leaves that one to others', async () => {
      const hold = new Latch();
      const holder = limited.bulk.transaction(() => hold.opened);

      await expect(limited.bulk.transaction(pidOf)).rejects.toThrow(/timeout/);
      expect(await Promise.all(Array.from({ length: 3 }, () => limited.transaction(pidOf)))).toHaveLength(3);

      hold.open();
      await holder;
      expect(await limited.bulk.transaction(pidOf)).toBeGreaterThan(0);
    });

    it('opens its first connection when it is used', async () => {
      const other = await TestApplication.start({ database: app.database });
      const main = poolOf(other.application.get(DataSource));
      expect(BulkPool.beside(main).pool.totalCount).toBe(0);

      await other.application.get(Statements).bulk.transaction(pidOf);

      expect(BulkPool.beside(main).pool.totalCount).toBe(1);
      await other.stop();
    });
  });
});
