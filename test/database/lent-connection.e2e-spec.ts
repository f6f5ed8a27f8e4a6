import pg from 'pg';
import { LentConnection, type Patience } from '../../src/database/lent-connection.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';
import { createEmptyDatabase, onServer, TEST_SERVER_VARIABLE, type TestDatabase } from '../support/test-server.js';

describe('a statement on the connection pool', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 1, statement_timeout: 100 });
  });

  afterEach(() => pool.end());

  afterAll(() => database.drop());

  const run = async (text: string, patience?: Patience, on = pool): Promise<unknown> => {
    const { rows } = await LentConnection.with(on, (lent) => lent.query<Record<string, unknown>>({ text }), patience);
    return rows[0]?.['found'];
  };

  const connection = (): Promise<unknown> => run('SELECT pg_backend_pid() AS found');

  it('is answered', async () => {
    expect(await run('SELECT 1 AS found')).toBe(1);
  });

  it('keeps its connection when PostgreSQL refuses it', async () => {
    const before = await connection();
    await expect(run('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await connection()).toBe(before);
  });

  it('keeps its connection when PostgreSQL ends it because it takes too long', async () => {
    const before = await connection();
    await expect(run('SELECT pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    expect(await connection()).toBe(before);
  });

  it('fails with its connection, which is replaced', async () => {
    const before = await connection();
    const statement = run('SET statement_timeout = 0; SELECT pg_sleep(10)');
    await onServer(database.url, `SELECT pg_terminate_backend(${Number(before)})`);
    await expect(statement).rejects.toMatchObject({ code: '57P01' });
    expect(await connection()).not.toBe(before);
  });

  it('is given up, and its connection with it, when no answer comes', async () => {
    const before = await connection();
    // Longer than the answer is waited for.
    await expect(run('SET statement_timeout = 0; SELECT pg_sleep(10)')).rejects.toThrow('has not answered in time');
    expect(await connection()).not.toBe(before);
    expect(pool.totalCount).toBe(1);
  });

  describe('that is waited for patiently', () => {
    let unlimited: pg.Pool;

    beforeEach(() => {
      unlimited = new pg.Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 500 });
    });

    afterEach(() => unlimited.end());

    /** Whether the server works on a statement; others have been given up here, and not there. */
    const isWorkingOn = async (text: string): Promise<boolean> => {
      const working = await pool.query(`SELECT pid FROM pg_stat_activity WHERE query = $1 AND state = 'active'`, [
        text,
      ]);
      return working.rows.length === 1;
    };

    it('is answered when it takes longer than others may', async () => {
      const text = 'SELECT 1 AS found FROM pg_sleep(1.2)';
      await expect(run(text, 'short', unlimited)).rejects.toThrow('has not answered in time');
      expect(await run(text, 'long', unlimited)).toBe(1);
    });

    it('is answered though PostgreSQL lets nobody else in meanwhile', async () => {
      const name = new URL(database.url).pathname.slice(1);
      const text = 'SELECT 1 AS found FROM pg_sleep(1.5)';
      const answer = run(text, 'long', unlimited);
      await until(() => isWorkingOn(text));
      await onServer(process.env[TEST_SERVER_VARIABLE]!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);

      expect(await answer).toBe(1);

      await onServer(process.env[TEST_SERVER_VARIABLE]!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    });

    it('is given up, and its connection with it, when the database is gone', async () => {
      const proxy = await DatabaseProxy.open(database.url);
      const distant = new pg.Pool({ connectionString: proxy.url, max: 1, connectionTimeoutMillis: 500 });
      try {
        const text = 'SELECT pg_sleep(25)';
        const answer = run(text, 'long', distant).catch((error: unknown) => error);
        await until(() => isWorkingOn(text));

        proxy.fallSilent();

        expect(await answer).toBeInstanceOf(Error);
        expect(distant.totalCount).toBe(0);
        // Had it been waited for until it is over, the server would have nothing to do any more.
        expect(await isWorkingOn(text)).toBe(true);
      } finally {
        await proxy.close();
      }
      await distant.end();
    });
  });
});
