import pg from 'pg';
import { BulkPool } from '../../src/persistence/connection-pool.js';
import { PooledClient } from '../../src/persistence/pooled-client.js';
import { DatabaseProxy } from './database-proxy.js';
import { withRawServer } from '../support/network/raw-server.js';
import { until } from '../support/time/until.js';
import {
  createEmptyDatabase,
  runOnServer,
  TEST_SERVER_VARIABLE,
  type TestDatabase,
} from '../support/database/test-database.js';

describe('a statement on the connection pool', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 1, statement_timeout: 1000 });
  });

  afterEach(() => pool.end());

  afterAll(() => database.drop());

  const run = async (text: string, on = pool): Promise<unknown> => {
    const { rows } = await PooledClient.with(on, (client) => client.query<Record<string, unknown>>({ text }));
    return rows[0]?.['found'];
  };

  const connection = (): Promise<unknown> => run('SELECT pg_backend_pid() AS found');

  it('returns its rows', async () => {
    expect(await run('SELECT 1 AS found')).toBe(1);
  });

  it('keeps its connection after an SQL error', async () => {
    const before = await connection();
    await expect(run('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await connection()).toBe(before);
  });

  it('keeps its connection after a statement timeout of PostgreSQL', async () => {
    const before = await connection();
    await expect(run('SELECT pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    expect(await connection()).toBe(before);
  });

  it('fails when its connection breaks, which is then replaced', async () => {
    const before = await connection();
    const statement = run('SET statement_timeout = 0; SELECT pg_sleep(10)');
    await runOnServer(database.url, `SELECT pg_terminate_backend(${Number(before)})`);
    await expect(statement).rejects.toMatchObject({ code: '57P01' });
    expect(await connection()).not.toBe(before);
  });

  it('fails, and the process goes on, when the server is stopped right behind its greeting', async () => {
    const message = (type: string, text: string): string =>
      `${type}\0\0\0${String.fromCharCode(text.length + 4)}${text}`;
    const greeting = message('R', '\0\0\0\0') + message('Z', 'I');
    const stopped = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
    await withRawServer(greeting + stopped, false, async (baseUrl) => {
      const stopping = new pg.Pool({ connectionString: `${baseUrl.replace('http', 'postgres')}/database`, max: 1 });
      await expect(run('SELECT 1 AS found', stopping)).rejects.toThrow();
      await stopping.end();
    });
  });

  it('fails and closes its connection when no answer comes', async () => {
    const before = await connection();
    // Longer than the answer is waited for.
    await expect(run('SET statement_timeout = 0; SELECT pg_sleep(10)')).rejects.toThrow('has not answered in time');
    expect(await connection()).not.toBe(before);
    expect(pool.totalCount).toBe(1);
  });

  describe('on the bulk pool', () => {
    afterEach(() => BulkPool.endBeside(pool));

    /** Whether the server works on a statement; others have been given up here, and not there. */
    const isWorkingOn = async (text: string): Promise<boolean> => {
      const working = await pool.query(`SELECT pid FROM pg_stat_activity WHERE query = $1 AND state = 'active'`, [
        text,
      ]);
      return working.rows.length === 1;
    };

    it('returns its rows after more than the normal time limit', async () => {
      const text = 'SELECT 1 AS found FROM pg_sleep(1.2)';
      await expect(run(text)).rejects.toMatchObject({ code: '57014' });
      expect(await run(text, BulkPool.beside(pool).pool)).toBe(1);
    });

    it('returns its rows although PostgreSQL accepts no new connection meanwhile', async () => {
      const name = new URL(database.url).pathname.slice(1);
      const text = 'SELECT 1 AS found FROM pg_sleep(1.5)';
      const answer = run(text, BulkPool.beside(pool).pool);
      await until(() => isWorkingOn(text));
      await runOnServer(process.env[TEST_SERVER_VARIABLE]!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);

      expect(await answer).toBe(1);

      await runOnServer(process.env[TEST_SERVER_VARIABLE]!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    });

    it('fails and closes its connection when the database is gone', async () => {
      const proxy = await DatabaseProxy.open(database.url);
      const main = new pg.Pool({ connectionString: proxy.url, max: 1 });
      const distant = BulkPool.beside(main).pool;
      try {
        const text = 'SELECT pg_sleep(25)';
        const answer = run(text, distant).catch((error: unknown) => error);
        await until(() => isWorkingOn(text));

        proxy.fallSilent();

        expect(await answer).toBeInstanceOf(Error);
        expect(distant.totalCount).toBe(0);
        // Had it been waited for until it is over, the server would have nothing to do any more.
        expect(await isWorkingOn(text)).toBe(true);
      } finally {
        await proxy.close();
      }
      await BulkPool.endBeside(main);
      await main.end();
    });
  });
});
