import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { leaveErrorToStatement } from './connection-errors.js';
import { boundedQuery } from './bounded-query.js';
import { ConnectionQueue } from './connection-queue.js';
import {
  DatabaseUnreachable,
  endsConnection,
  isMixedUpStatement,
  isReadOnlyRefusal,
  isSentByPostgres,
} from './database-failures.js';
import { whileDatabaseIsThere } from './database-watch.js';
import { PreparedStatementSupport } from './prepared-statement-support.js';
import { TimeLimits } from './time-limits.js';

/** How answers are waited for: for a short time, or as long as the database is there (docs/adr/0011). */
export type Patience = 'short' | 'long';

/** How often work is done on connections to a server that accepts no writes. */
const READ_ONLY_ATTEMPTS = 2;

/** A connection that the pool has lent, and on which every statement is waited for a bounded time. */
export class LentConnection {
  private broken = false;
  private readonly answerTimeout: number;

  private constructor(
    private readonly connection: PoolClient,
    private readonly pool: Pool,
    private readonly patience: Patience,
  ) {
    const { answer, largeAnswer } = TimeLimits.of(pool);
    this.answerTimeout = patience === 'long' ? largeAnswer : answer;
  }

  /**
   * Lends a connection of the pool to some work. It stays in the pool when PostgreSQL has answered all its statements,
   * though it were with errors; one on which nobody answers, or that is broken, is given up.
   *
   * When the server accepts no writes although the connection is an older one, the work is done once more on a new
   * connection: the address may lead to another server by now. So the work must not change anything but the database.
   */
  static async with<T>(
    pool: Pool,
    work: (lent: LentConnection) => Promise<T>,
    patience: Patience = 'short',
  ): Promise<T> {
    const queue = ConnectionQueue.of(pool);
    for (let attempt = 1; ; attempt += 1) {
      const { client, isNew } = await queue.take();
      const lent = new LentConnection(client, pool, patience);
      client.on('error', leaveErrorToStatement);
      try {
        return await work(lent);
      } catch (error) {
        if (!isReadOnlyRefusal(error)) throw error;
        lent.broken = true;
        if (isNew || attempt === READ_ONLY_ATTEMPTS) throw error;
        queue.renew();
      } finally {
        client.off('error', leaveErrorToStatement);
        queue.giveBack(client, lent.broken);
      }
    }
  }

  /** Whether nothing more can be asked of the connection. */
  get isBroken(): boolean {
    return this.broken;
  }

  async query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    try {
      const answer = boundedQuery<Row>(this.connection, query, this.answerTimeout);
      return await (this.patience === 'long' ? whileDatabaseIsThere(this.pool, answer) : answer);
    } catch (error) {
      if (endsConnection(error)) this.broken = true;
      if (isMixedUpStatement(error)) PreparedStatementSupport.of(this.pool).doubt();
      const failure = isSentByPostgres(error) ? error : DatabaseUnreachable.because(error);
      // Leads to whoever asked, rather than to the bytes that have arrived.
      Error.captureStackTrace(failure);
      throw failure;
    }
  }
}
