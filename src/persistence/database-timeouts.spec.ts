import pg from 'pg';
import { DatabaseTimeouts } from './database-timeouts.js';

describe('the time limits of a connection pool', () => {
  it('are by default those of the documentation', () => {
    expect(DatabaseTimeouts.ofStatement()).toMatchObject({
      lock: 800,
      statement: 900,
      query: 1_000,
      connection: 1_500,
      idleInTransaction: 10_000,
    });
  });

  it('follow the statement timeout', () => {
    expect(DatabaseTimeouts.ofStatement(60_000)).toMatchObject({
      lock: 59_900,
      statement: 60_000,
      query: 60_100,
      connection: 60_600,
      idleInTransaction: 60_000,
    });
  });

  it.each([100, 101, 150, 200, 201, 900, 30_000, 600_000])(
    'keep their order for a statement timeout of %i ms',
    (statement) => {
      const limits = DatabaseTimeouts.ofStatement(statement);
      const { lock, query, connection } = limits;
      const ascending = [1, lock, statement - 1, statement, query - 1, query, connection - 1, connection];

      expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
      expect(Number.isInteger(lock)).toBe(true);
      const bulk = limits.forBulk();
      expect(bulk.statement).toBe(Math.max(30_000, statement));
      expect(bulk.query).toBeGreaterThan(bulk.statement);
      expect(bulk).toMatchObject({ lock, connection, ofRequests: limits });
    },
  );

  it.each([
    [250, 250],
    [undefined, 900],
    [false, 900],
  ] as const)('are read from the statement_timeout of the pool: %s', async (option, statement) => {
    const pool = new pg.Pool({ statement_timeout: option });

    expect(DatabaseTimeouts.of(pool)).toEqual(DatabaseTimeouts.ofStatement(statement));
    expect(DatabaseTimeouts.of(pool)).toBe(DatabaseTimeouts.of(pool));

    await pool.end();
  });
});
