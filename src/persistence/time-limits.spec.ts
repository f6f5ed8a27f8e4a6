import pg from 'pg';
import { TimeLimits } from './time-limits.js';

describe('the time limits of a connection pool', () => {
  it('are by default those of the documentation', () => {
    expect(TimeLimits.ofStatement()).toMatchObject({
      lock: 800,
      statement: 900,
      query: 1_000,
      connection: 1_500,
      idleInTransaction: 10_000,
    });
  });

  it('follow the statement timeout', () => {
    expect(TimeLimits.ofStatement(60_000)).toMatchObject({
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
      const limits = TimeLimits.ofStatement(statement);
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

    expect(TimeLimits.of(pool)).toEqual(TimeLimits.ofStatement(statement));
    expect(TimeLimits.of(pool)).toBe(TimeLimits.of(pool));

    await pool.end();
  });
});
