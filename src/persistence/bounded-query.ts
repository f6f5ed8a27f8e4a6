import type { ClientBase, QueryConfig, QueryResult } from 'pg';
import { LoopTimeout } from '../concurrency/loop-timeout.js';
import { DatabaseUnreachable } from './database-failures.js';

/**
 * Runs a statement and waits a bounded time for its result. The driver's own promise and `query_timeout` keep every row
 * alive until the next major garbage collection, which costs a tenth of the throughput and 40 MiB (docs/adr/0003). Its
 * callback and a separate timeout do not.
 *
 * @param milliseconds the longest wait, not counting the time in which the event loop was blocked
 * @throws DatabaseUnreachable when there is no result in time; the connection can then no longer be used
 */
export function boundedQuery<Row extends object>(
  connection: ClientBase,
  { name, text, values }: QueryConfig,
  milliseconds: number,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const timeout = new LoopTimeout(milliseconds, () =>
      reject(new DatabaseUnreachable('PostgreSQL has not answered in time')),
    );
    // A result that arrives after the timeout is ignored; the caller closes the connection.
    connection.query<Row>({ name, text, values } as QueryConfig, (error: Error | null, result) => {
      timeout.cancel();
      if (error) reject(error);
      else resolve(result);
    });
  });
}
