import pg from 'pg';
import { LentConnection } from '../../src/database/lent-connection.js';
import { createEmptyDatabase, onServer, type TestDatabase } from '../support/test-server.js';

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

  const run = async (text: string): Promise<unknown> => {
    const { rows } = await LentConnection.with(pool, (lent) => lent.query<Record<string, unknown>>({ text }));
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
    await expect(run('SET statement_timeout = 0; SELECT pg_sleep(10)')).rejects.toThrow('timeout');
    expect(await connection()).not.toBe(before);
    expect(pool.totalCount).toBe(1);
  });
});
