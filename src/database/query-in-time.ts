import type { Pool, QueryConfig, QueryResult } from 'pg';
import { ANSWER_TIMEOUT_MS } from './connection-options.js';

/**
 * Runs a statement on a connection of the pool, for a bounded time. The connection stays in the pool when PostgreSQL has
 * answered, though it were with an error; one on which nobody answers, or that is broken, is given up.
 */
export async function queryInTime<Row extends object>(pool: Pool, query: QueryConfig): Promise<QueryResult<Row>> {
  const connection = await pool.connect();
  connection.on('error', isToldByStatement);
  let failure: unknown;
  try {
    // The driver takes the time from the statement; its types do not know.
    const bounded: QueryConfig & { query_timeout: number } = { ...query, query_timeout: ANSWER_TIMEOUT_MS };
    return await connection.query<Row>(bounded);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.off('error', isToldByStatement);
    connection.release(failure !== undefined && !isAnswer(failure));
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
