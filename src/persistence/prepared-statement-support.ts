import pg, { type Pool, type QueryConfig } from 'pg';
import { ignoreConnectionError, isPreparedStatementConflict } from './database-failures.js';
import { OnePerPool } from './one-per-pool.js';
import { boundedQuery } from './bounded-query.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** Is prepared under the same name on two connections at the same time. */
const STATEMENT: QueryConfig = { name: 'prepared_statement_check', text: 'SELECT 1' };

/**
 * How often each of the two connections runs it, because a busy pooler only sometimes assigns both the same server
 * connection.
 */
const ROUNDS = 5;

/**
 * Checks whether prepared statements work on the connections of a pool. They always do on direct connections to PostgreSQL;
 * a pooler in transaction mode has to support them, and not every pooler does (docs/scaling.md).
 */
export class PreparedStatementSupport {
  private static readonly ofPools = new OnePerPool((pool) => new PreparedStatementSupport(pool));

  private isProven = false;

  private constructor(private readonly pool: Pool) {}

  /** Returns the instance for a pool; there is exactly one. */
  static of(pool: Pool): PreparedStatementSupport {
    return this.ofPools.of(pool);
  }

  /** Discards the result, so that the next call checks again. */
  reset(): void {
    this.isProven = false;
  }

  /**
   * Checks on two connections outside the pool, unless an earlier check has succeeded.
   *
   * @throws DatabaseUnreachable, or an error from PostgreSQL, when the check itself fails
   */
  async isSupported(): Promise<boolean> {
    this.isProven ||= await this.test();
    return this.isProven;
  }

  private async test(): Promise<boolean> {
    const { query, connection } = DatabaseTimeouts.of(this.pool);
    const config = { ...this.pool.options, connectionTimeoutMillis: connection };
    const clients = [new pg.Client(config), new pg.Client(config)];
    for (const client of clients) client.on('error', ignoreConnectionError);
    try {
      for (const client of clients) await client.connect();
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const client of clients) await boundedQuery(client, STATEMENT, query);
      }
      return true;
    } catch (error) {
      if (isPreparedStatementConflict(error)) return false;
      throw error;
    } finally {
      // Not awaited: a server that does not answer does not close the connection either.
      for (const client of clients) void client.end();
    }
  }
}
