import type { ClientBase, QueryConfig, QueryResult } from 'pg';
import { DatabaseUnreachable } from './database-failures.js';
import { LoopTimeout } from './loop-timeout.js';

/**
 * Runs a statement whose answer is waited for a bounded time. The driver's own promise and `query_timeout` keep every row
 * alive until the old generation is collected, which costs a tenth of the throughput and 40 MiB (bench/README.md). Its
 * callback and a timeout of our own do not.
 *
 * @param milliseconds how long the answer is waited for, not counting the time in which the event loop was blocked
 * @throws DatabaseUnreachable when none comes; then nothing more can be asked of the connection
 */
export function boundedQuery<Row extends object>(
  connection: ClientBase,
  query: QueryConfig,
  milliseconds: number,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const timeout = new LoopTimeout(milliseconds, () =>
      reject(new DatabaseUnreachable('PostgreSQL has not answered in time')),
    );
    // What comes after the time is dropped with the connection.
    connection.query<Row>(query, (error: Error | null, result) => {
      timeout.cancel();
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
