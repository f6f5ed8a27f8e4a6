import pg from 'pg';
import { TimeLimits } from './time-limits.js';

describe('the time limits of a connection pool', () => {
  it('are those of the documentation by default', () => {
    expect(new TimeLimits()).toMatchObject({
      lock: 800,
      statement: 900,
      answer: 1_000,
      connection: 1_500,
      largeStatement: 30_000,
      largeAnswer: 31_000,
      idleInTransaction: 10_000,
    });
  });

  it('follow the time of a statement', () => {
    expect(new TimeLimits(60_000)).toMatchObject({
      lock: 59_900,
      statement: 60_000,
      answer: 60_100,
      connection: 60_600,
      largeStatement: 60_000,
      largeAnswer: 61_000,
      idleInTransaction: 60_000,
    });
  });

  it.each([100, 101, 150, 200, 201, 900, 30_000, 600_000])('keep their order at %i ms a statement', (statement) => {
    const { lock, answer, connection, largeStatement, largeAnswer } = new TimeLimits(statement);
    const ascending = [1, lock, statement - 1, statement, answer - 1, answer, connection - 1, connection];

    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    expect(Number.isInteger(lock)).toBe(true);
    expect(largeStatement).toBeGreaterThanOrEqual(Math.max(30_000, statement));
    expect(largeAnswer).toBeGreaterThan(largeStatement);
  });

  it.each([
    [250, 250],
    [undefined, 900],
    [false, 900],
  ] as const)('are read from the statement_timeout of the pool: %s', async (option, statement) => {
    const pool = new pg.Pool({ statement_timeout: option });

    expect(TimeLimits.of(pool)).toEqual(new TimeLimits(statement));
    expect(TimeLimits.of(pool)).toBe(TimeLimits.of(pool));

    await pool.end();
  });
});
