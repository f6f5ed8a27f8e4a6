import { DataSource } from 'typeorm';
import { Statements, type Statement, type StatementRunner } from '../../src/database/statements.js';
import { TestApplication } from '../support/test-application.js';
import { onServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const INSERT: Statement = { name: 'test_insert', text: 'INSERT INTO notes (id, text) VALUES ($1, $2)' };
const UPDATE: Statement = { name: 'test_update', text: 'UPDATE notes SET text = $2 WHERE id = $1' };
const READ: Statement = { name: 'test_read', text: 'SELECT id, text FROM notes ORDER BY id' };
const FAIL: Statement = { name: 'test_fail', text: 'SELECT 1 / $1::int' };
const CONNECTION: Statement = { name: 'test_connection', text: 'SELECT pg_backend_pid() AS pid' };
const SLEEP: Statement = { name: 'test_sleep', text: 'SELECT pg_sleep(600)' };

/** What a statement may take where the limit itself is tested, in milliseconds: far more than any statement here needs. */
const LIMIT_MS = 1_500;

interface Note {
  readonly id: number;
  readonly text: string;
}

/** What some wait for until another opens it. */
class Gate {
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

  const notes = (): Promise<Note[]> => statements.rows<Note>(READ, []);

  const pidOf = async (on: StatementRunner): Promise<number> => (await on.first<{ pid: number }>(CONNECTION, []))!.pid;

  /** The connections of the pool that are inside a transaction. */
  const openTransactions = (): Promise<unknown[]> =>
    app.rows(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );

  it('keeps everything, and gives what the work gives', async () => {
    const given = await statements.transaction(async (on) => {
      expect(await on.write(INSERT, [1, 'one'])).toBe(1);
      expect(await on.write(INSERT, [2, 'two'])).toBe(1);
      expect(await on.rows(READ, [])).toHaveLength(2);
      return (await on.first<Note>(READ, []))?.text;
    });

    expect(given).toBe('one');
    expect(await notes()).toEqual([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    expect(await openTransactions()).toEqual([]);
  });

  it('is seen by nobody before it ends', async () => {
    await statements.transaction(async (on) => {
      await on.write(INSERT, [1, 'one']);
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toHaveLength(1);
  });

  it('runs on one connection', async () => {
    const pids = await statements.transaction(async (on) => [await pidOf(on), await pidOf(on), await pidOf(on)]);
    expect(new Set(pids).size).toBe(1);
  });

  const REFUSALS = [
    ['the work', () => Promise.reject(new Error('on second thoughts'))],
    ['PostgreSQL', (on: StatementRunner) => on.rows(FAIL, [0])],
  ] as const;

  it.each(
    (['transaction', 'transactionOfAnySize'] as const).flatMap((way) =>
      REFUSALS.map(([who, refuse]) => [who, way, refuse] as const),
    ),
  )('takes everything back when %s refuses in a %s, and passes the error on', async (_, way, refuse) => {
    let attempts = 0;
    const attempt = statements[way](async (on) => {
      attempts += 1;
      await on.write(INSERT, [1, 'one']);
      await refuse(on);
    });

    await expect(attempt).rejects.toThrow(/on second thoughts|division by zero/);
    expect(attempts).toBe(1);
    expect(await notes()).toEqual([]);
    expect(await openTransactions()).toEqual([]);
  });

  it('is no commit after an error that the work keeps to itself', async () => {
    const attempt = statements.transaction(async (on) => {
      await on.write(INSERT, [1, 'one']);
      await on.rows(FAIL, [0]).catch(() => undefined);
      return 'all is well';
    });

    await expect(attempt).rejects.toThrow('a statement of the transaction has failed');
    expect(await notes()).toEqual([]);
  });

  it('fails where its commit does', async () => {
    await app.rows('ALTER TABLE notes ADD CONSTRAINT uq_text UNIQUE (text) DEFERRABLE INITIALLY DEFERRED');
    const attempt = statements.transaction(async (on) => {
      await on.write(INSERT, [1, 'same']);
      await on.write(INSERT, [2, 'same']);
    });

    await expect(attempt).rejects.toMatchObject({ code: '23505', constraint: 'uq_text' });
    expect(await notes()).toEqual([]);
    await app.rows('ALTER TABLE notes DROP CONSTRAINT uq_text');
  });

  it('is tried again when a deadlock ends it', async () => {
    await statements.transaction(async (on) => {
      await on.write(INSERT, [1, 'one']);
      await on.write(INSERT, [2, 'two']);
    });
    let attempts = 0;
    const holding = [new Gate(), new Gate()];
    const ended = [new Gate(), new Gate()];
    const inOrder = async (first: number, second: number, name: string, index: number): Promise<void> => {
      let isRetry = false;
      await statements.transaction(async (on) => {
        attempts += 1;
        // Otherwise it could take the lock before the other one does, and both would be in a deadlock again.
        if (isRetry) await ended[1 - index]!.opened;
        isRetry = true;
        await on.write(UPDATE, [first, name]);
        holding[index]!.open();
        await Promise.all(holding.map(({ opened }) => opened));
        await on.write(UPDATE, [second, name]);
      });
      ended[index]!.open();
    };
    await Promise.all([inOrder(1, 2, 'left', 0), inOrder(2, 1, 'right', 1)]);

    expect(attempts).toBe(3);
    const texts = new Set((await notes()).map(({ text }) => text));
    expect(texts.size).toBe(1);
  });

  it('is tried three times, and then fails', async () => {
    let attempts = 0;
    const transient = Object.assign(new Error('could not serialize access'), { code: '40001' });
    const attempt = statements.transaction(async (on) => {
      attempts += 1;
      await on.write(INSERT, [attempts, 'one']);
      throw transient;
    });

    await expect(attempt).rejects.toBe(transient);
    expect(attempts).toBe(3);
    expect(await notes()).toEqual([]);
  });

  it('is lost with its connection, which is given up', async () => {
    let lost = 0;
    const attempt = statements.transaction(async (on) => {
      await on.write(INSERT, [1, 'one']);
      lost = await pidOf(on);
      await onServer(app.database.url, `SELECT pg_terminate_backend(${lost})`);
      await until(async () => (await app.rows('SELECT FROM pg_stat_activity WHERE pid = $1', [lost])).length === 0);
      await on.write(INSERT, [2, 'two']);
    });

    await expect(attempt).rejects.toThrow();
    expect(await notes()).toEqual([]);
    const pids = await Promise.all(Array.from({ length: 3 }, () => statements.transaction(pidOf)));
    expect(pids).not.toContain(lost);
  });

  it('ends a statement that takes too long, and keeps its connection', async () => {
    let pid = 0;
    const attempt = limited.transaction(async (on) => {
      pid = await pidOf(on);
      await on.write(INSERT, [1, 'one']);
      await on.rows(SLEEP, []);
    });

    await expect(attempt).rejects.toMatchObject({ code: '57014' });
    expect(await notes()).toEqual([]);
    expect(await app.rows('SELECT pid FROM pg_stat_activity WHERE pid = $1', [pid])).toHaveLength(1);
    expect(await openTransactions()).toEqual([]);
  });

  it('does not wait for a lock for ever', async () => {
    await statements.write(INSERT, [1, 'one']);
    await statements.transaction(async (on) => {
      await on.write(UPDATE, [1, 'mine']);
      const other = limited.transaction((second) => second.write(UPDATE, [1, 'theirs']));
      await expect(other).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await notes()).toEqual([{ id: 1, text: 'mine' }]);
  });

  it('begins no other where the pool is used up, and then says so', async () => {
    const hold = new Gate();
    const holders = Array.from({ length: 3 }, () => limited.transaction(() => hold.opened));
    await expect(limited.transaction(pidOf)).rejects.toThrow(/timeout/);
    hold.open();
    await Promise.all(holders);
    expect(await limited.transaction(pidOf)).toBeGreaterThan(0);
  });

  describe('of any size', () => {
    const LONGER: Statement = { name: 'test_longer', text: 'SELECT pg_sleep(1.7)' };
    const WRITE_LONGER: Statement = {
      name: 'test_write_longer',
      text: 'INSERT INTO notes (id, text) SELECT $1, $2 FROM pg_sleep(1.7)',
    };
    const LIMITS: Statement = {
      name: 'test_limits',
      text: `SELECT current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock`,
    };

    it('is done in the time of a request where that is enough', async () => {
      const limits = await limited.transactionOfAnySize((on) => on.rows(LIMITS, []));
      expect(limits).toEqual([{ work: '1500ms', lock: '1400ms' }]);
    });

    it('is done again with more time for its work where that is not, but not to wait for locks', async () => {
      const limits: unknown[] = [];
      await limited.transactionOfAnySize(async (on) => {
        limits.push(await on.first(LIMITS, []));
        await on.write(INSERT, [limits.length, 'one']);
        await on.rows(LONGER, []);
      });

      expect(limits).toEqual([
        { work: '1500ms', lock: '1400ms' },
        { work: '30s', lock: '1400ms' },
      ]);
      expect(await notes()).toEqual([{ id: 2, text: 'one' }]);
      const afterwards = await Promise.all(Array.from({ length: 3 }, () => limited.first(LIMITS, [])));
      expect(new Set(afterwards.map((row) => JSON.stringify(row))).size).toBe(1);
    });

    it('can be a single statement', async () => {
      expect(await limited.writeOfAnySize(WRITE_LONGER, [1, 'one'])).toBe(1);
      expect(await notes()).toEqual([{ id: 1, text: 'one' }]);
    });

    it('is not done again when it has waited for a lock', async () => {
      await statements.write(INSERT, [1, 'one']);
      await statements.transaction(async (on) => {
        await on.write(UPDATE, [1, 'mine']);
        let attempts = 0;
        const other = limited.transactionOfAnySize((second) => {
          attempts += 1;
          return second.write(UPDATE, [1, 'theirs']);
        });
        await expect(other).rejects.toMatchObject({ code: '55P03' });
        expect(attempts).toBe(1);
      });
    });

    it('gives up on a lock that others hold, though it has time for its work', async () => {
      await statements.write(INSERT, [1, 'one']);
      await statements.transaction(async (on) => {
        await on.write(UPDATE, [1, 'mine']);
        let attempts = 0;
        const other = limited.transactionOfAnySize(async (second) => {
          attempts += 1;
          await second.rows(LONGER, []);
          await second.write(UPDATE, [1, 'theirs']);
        });
        await expect(other).rejects.toMatchObject({ code: '55P03' });
        expect(attempts).toBe(2);
      });
    });

    it('leaves others a part of the pool', async () => {
      const hold = new Gate();
      const works = Array.from({ length: 3 }, (_, index) => {
        let attempts = 0;
        return limited.transactionOfAnySize(async (on) => {
          attempts += 1;
          if (attempts === 1) await on.rows(LONGER, []);
          await hold.opened;
          await on.write(INSERT, [index, 'long']);
        });
      });
      await expect(Promise.race(works)).rejects.toMatchObject({ code: '57014' });
      hold.open();
      const outcomes = await Promise.allSettled(works);

      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: '57014' } }]);
      expect(await notes()).toHaveLength(2);
      // There is room again.
      expect(await limited.writeOfAnySize(WRITE_LONGER, [9, 'long'])).toBe(1);
    });
  });
});
