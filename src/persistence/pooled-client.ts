import pg, { type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import {
  ignoreConnectionError,
  DatabaseUnreachable,
  endsConnection,
  isPreparedStatementConflict,
  isReadOnlyRefusal,
  isPostgresError,
} from './database-failures.js';
import { boundedQuery } from './bounded-query.js';
import { ConnectionQueue } from './connection-queue.js';
import { LentClient } from './lent-client.js';
import { PreparedStatementSupport } from './prepared-statement-support.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** The number of attempts when the server accepts no writes. */
const READ_ONLY_ATTEMPTS = 2;

/** What has a client for one statement or a transaction that is nothing more. */
const NO_UNIT = 'a transaction';

/** A client that is checked out of the pool and waits a bounded time for the result of each query. */
export class PooledClient extends LentClient {
  private broken = false;
  private readonly limits: DatabaseTimeouts;

  private constructor(
    private readonly client: PoolClient,
    pool: Pool,
    owner: string,
  ) {
    super(pool, owner);
    this.limits = DatabaseTimeouts.of(pool);
  }

  /**
   * Checks out a client for some work. It is returned to the pool if every query was answered (also with an SQL error) and
   * destroyed after a timeout or a connection error.
   *
   * When the server accepts no writes and the connection was reused, the work is repeated once on a new connection, because
   * the address may now resolve to another server. The work must therefore have no effects outside the database.
   *
   * @param owner what has the client, as the log calls that
   */
  static async with<T>(pool: Pool, work: (client: PooledClient) => Promise<T>, owner = NO_UNIT): Promise<T> {
    const queue = ConnectionQueue.of(pool);
    for (let attempt = 1; ; attempt += 1) {
      const { client, isNew } = await queue.acquire();
      const pooled = new PooledClient(client, pool, owner);
      client.on('error', ignoreConnectionError);
      try {
        return await work(pooled);
      } catch (error) {
        if (!isReadOnlyRefusal(error)) throw error;
        pooled.broken = true;
        if (isNew || attempt === READ_ONLY_ATTEMPTS) throw error;
        queue.renew();
      } finally {
        client.off('error', ignoreConnectionError);
        pooled.giveBack();
        queue.release(client, pooled.broken);
      }
    }
  }

  /** Whether the connection can no longer be used. */
  get isBroken(): boolean {
    return this.broken;
  }

  /** @throws DatabaseUnreachable after a timeout or a connection error */
  protected async run<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    const answer = boundedQuery<Row>(this.client, query, this.limits.query);
    try {
      const { ofRequests } = this.limits;
      return await (ofRequests === undefined ? answer : withDatabaseProbe(this.pool, ofRequests, answer));
    } catch (error) {
      if (endsConnection(error)) this.broken = true;
      throw statementFailure(this.pool, error);
    }
  }
}

/**
 * What callers get when a statement has failed.
 *
 * @param pool the pool whose server has refused the statement
 * @returns the error from PostgreSQL, or a DatabaseUnreachable when the statement was not answered
 */
function statementFailure(pool: Pool, error: unknown): Error {
  if (isPreparedStatementConflict(error)) PreparedStatementSupport.of(pool).reset();
  const failure = isPostgresError(error) ? error : DatabaseUnreachable.because(error);
  // Captured again here, so that the stack shows the caller and not the driver's socket handler.
  Error.captureStackTrace(failure);
  return failure;
}

/** The pause between two probes of the database, in milliseconds. */
const PROBE_PAUSE_MS = 300;

/**
 * Waits for a long statement, and fails as soon as the database is unreachable. A connection shows no difference between a
 * server that is working and one that has stopped, so `SELECT 1` is sent on a separate connection meanwhile.
 *
 * @param limits the time limits of the probe's connection and query
 * @param work the result of the statement; the caller closes its connection when this function rejects
 * @throws DatabaseUnreachable
 */
async function withDatabaseProbe<T>(pool: Pool, limits: DatabaseTimeouts, work: Promise<T>): Promise<T> {
  let next: NodeJS.Timeout | undefined;
  let isWaitedFor = true;
  const gone = new Promise<never>((_resolve, reject) => {
    // Only a timer at first, because nearly all statements finish before the first probe.
    const probeLater = (): void => {
      if (isWaitedFor) next = setTimeout(() => void probe(pool, limits).then(probeLater, reject), PROBE_PAUSE_MS);
    };
    probeLater();
  });
  try {
    return await Promise.race([work, gone]);
  } finally {
    isWaitedFor = false;
    clearTimeout(next);
  }
}

/**
 * Fails when PostgreSQL does not answer. Not through the pool, because a pool without free connections says nothing about
 * the database.
 */
async function probe(pool: Pool, { query, connection }: DatabaseTimeouts): Promise<void> {
  const client = new pg.Client({ ...pool.options, connectionTimeoutMillis: connection });
  client.on('error', ignoreConnectionError);
  try {
    await client.connect();
    await boundedQuery(client, { text: 'SELECT 1' }, query);
  } catch (error) {
    if (!isPostgresError(error)) throw DatabaseUnreachable.because(error);
  } finally {
    // Not awaited: a server that does not answer does not close the connection either.
    void client.end();
  }
}
