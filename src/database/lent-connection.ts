import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { ANSWER_TIMEOUT_MS, LARGE_ANSWER_TIMEOUT_MS } from './connection-options.js';
import { whileDatabaseIsThere } from './database-watch.js';

/** How answers are waited for: for a short time, or as long as the database is there (docs/adr/0011). */
export type Patience = 'short' | 'long';

const ANSWER_TIMEOUTS: Readonly<Record<Patience, number>> = { short: ANSWER_TIMEOUT_MS, long: LARGE_ANSWER_TIMEOUT_MS };

/** A connection that the pool has lent, and on which every statement is waited for a bounded time. */
export class LentConnection {
  private broken = false;

  private constructor(
    private readonly connection: PoolClient,
    private readonly pool: Pool,
    private readonly patience: Patience,
  ) {}

  /**
   * Lends a connection of the pool to some work. It stays in the pool when PostgreSQL has answered all its statements,
   * though it were with errors; one on which nobody answers, or that is broken, is given up.
   */
  static async with<T>(
    pool: Pool,
    work: (lent: LentConnection) => Promise<T>,
    patience: Patience = 'short',
  ): Promise<T> {
    const connection = await pool.connect();
    const lent = new LentConnection(connection, pool, patience);
    connection.on('error', isToldByStatement);
    try {
      return await work(lent);
    } finally {
      connection.off('error', isToldByStatement);
      connection.release(lent.broken);
    }
  }

  /** Whether nothing more can be asked of the connection. */
  get isBroken(): boolean {
    return this.broken;
  }

  async query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    try {
      const answer = this.answerTo<Row>(query);
      return await (this.patience === 'long' ? whileDatabaseIsThere(this.pool, answer) : answer);
    } catch (error) {
      if (!isAnswer(error)) this.broken = true;
      // Leads to whoever asked, rather than to the bytes that have arrived.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * The driver's own promise and `query_timeout` keep every row alive until the old generation is collected, which costs a
   * tenth of the throughput and 40 MiB (bench/README.md). Its callback and a timer of ours do not.
   */
  private answerTo<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(
        () => reject(new Error('PostgreSQL has not answered in time')),
        ANSWER_TIMEOUTS[this.patience],
      );
      // What comes after the time is dropped with the connection.
      this.connection.query<Row>(query, (error: Error | null, result) => {
        clearTimeout(giveUp);
        if (error === null) resolve(result);
        else reject(error);
      });
    });
  }
}

/** A connection that breaks fails the statement that is on it, and nobody else need hear of it. */
function isToldByStatement(): void {
  // An event of this name that nobody listens to would end the process.
}

/** Whether PostgreSQL has refused the statement and goes on with the connection: what is worse than an error ends it. */
function isAnswer(failure: unknown): boolean {
  return failure instanceof Error && 'severity' in failure && failure.severity === 'ERROR';
}
