import type { Pool, QueryConfig, QueryResult } from 'pg';
import { PooledClient } from './pooled-client.js';
import type { PreparedQuery } from './service-client.js';
import { errorCode } from './database-failures.js';
import { TimeLimits } from './time-limits.js';

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
export async function inTransaction<T>(pool: Pool, work: (connection: OpenTransaction) => Promise<T>): Promise<T> {
  const beginning = beginningOf(pool);
  return repeatedAfterDeadlock(() => PooledClient.with(pool, (connection) => once(connection, work, beginning)));
}

/** A connection in a transaction, which begins with the first query. */
export class OpenTransaction {
  private first: Promise<unknown> | undefined;

  /** @param beginning the statements that begin it */
  constructor(
    private readonly connection: PooledClient,
    private readonly beginning: readonly PreparedQuery[],
  ) {}

  /** Whether a query was sent. */
  get hasBegun(): boolean {
    return this.first !== undefined;
  }

  /** @throws DatabaseUnreachable after a timeout or a connection error */
  async query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    if (this.first !== undefined) {
      // Queries that are sent at once wait for the beginning of the transaction, and fail with it.
      await this.first;
      return this.connection.query<Row>(query);
    }
    const first = this.connection.firstQuery<Row>(this.beginning, query);
    this.first = first;
    return first;
  }
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
  work: (connection: OpenTransaction) => Promise<T>,
  beginning: readonly PreparedQuery[],
): Promise<T> {
  const transaction = new OpenTransaction(connection, beginning);
  try {
    const result = await work(transaction);
    if (!transaction.hasBegun) return result;
    const { command } = await connection.query({ text: 'COMMIT' });
    // PostgreSQL's response to a COMMIT after an error that the work has caught.
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction has failed');
    return result;
  } catch (error) {
    // Closing a broken connection ends its transaction.
    if (transaction.hasBegun && !connection.isBroken) await connection.query({ text: 'ROLLBACK' });
    throw error;
  }
}

const BEGIN: PreparedQuery = { name: 'transaction_begin', text: 'BEGIN' };

const LIMITS = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`;

/**
 * Sets the limits of the bulk pool for the transaction, because a pooler may have set those of requests on the connection.
 */
function beginningOf(pool: Pool): PreparedQuery[] {
  const { ofRequests, statement, lock } = TimeLimits.of(pool);
  if (ofRequests === undefined) return [BEGIN];
  return [BEGIN, { name: 'transaction_limits', text: LIMITS, values: [String(statement), String(lock)] }];
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(errorCode(error) ?? '');
}
