import type { Pool } from 'pg';
import { PooledClient } from './pooled-client.js';
import { errorCode } from './database-failures.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** The number of attempts when PostgreSQL ends a transaction, or a statement by itself, because of concurrent ones. */
const ATTEMPTS = 3;

/**
 * SQLSTATEs of errors caused by concurrent transactions, so that another attempt may succeed: serialization failure and
 * deadlock.
 */
const TRANSIENT = new Set(['40001', '40P01']);

/**
 * Runs work as one transaction. After a serialization failure or deadlock the transaction is repeated, so the work must have
 * no effects outside the database.
 *
 * @param work an error that it throws rolls the transaction back
 */
export async function inTransaction<T>(pool: Pool, work: (connection: PooledClient) => Promise<T>): Promise<T> {
  return repeatedAfterDeadlock(() => inOneTransaction(pool, work));
}

/**
 * Runs work as one transaction, which is not repeated.
 *
 * @param work an error that it throws rolls the transaction back
 * @param owner what has the transaction, as the log calls that
 */
export async function inOneTransaction<T>(
  pool: Pool,
  work: (connection: PooledClient) => Promise<T>,
  owner?: string,
): Promise<T> {
  const beginning = beginningOf(pool);
  return PooledClient.with(pool, (connection) => once(connection, work, beginning), owner);
}

/**
 * Does work, and repeats it after a serialization failure or deadlock.
 *
 * @param work one transaction, or one statement
 */
export async function repeatedAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

async function once<T>(
  connection: PooledClient,
  work: (connection: PooledClient) => Promise<T>,
  beginning: string,
): Promise<T> {
  await connection.query({ text: beginning });
  try {
    const result = await work(connection);
    const { command } = await connection.query({ text: 'COMMIT' });
    // PostgreSQL's response to a COMMIT after an error that the work has caught.
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction has failed');
    return result;
  } catch (error) {
    // Closing a broken connection ends its transaction.
    if (!connection.isBroken) await connection.query({ text: 'ROLLBACK' });
    throw error;
  }
}

/**
 * Begins a transaction. That of the bulk pool gets its limits here, because a pooler may have set those of requests on the connection.
 */
function beginningOf(pool: Pool): string {
  const { ofRequests, statement, lock } = DatabaseTimeouts.of(pool);
  if (ofRequests === undefined) return 'BEGIN';
  return `BEGIN; SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}`;
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(errorCode(error) ?? '');
}
