import type { Pool } from 'pg';
import { LentConnection, type Patience } from './lent-connection.js';
import { errorCode } from './system-error.js';

/** How often a transaction is tried that PostgreSQL ends because of others. */
const ATTEMPTS = 3;

/** SQLSTATE of what another transaction has caused, and the next attempt may escape: serialization failure and deadlock. */
const TRANSIENT = new Set(['40001', '40P01']);

/**
 * Runs work as one transaction: all of it is kept, or nothing. What PostgreSQL ends because of other transactions is tried
 * again, so the work must not change anything but the database.
 *
 * @param work whatever it throws takes everything back
 * @param begin begins the transaction, and sets what is to hold in it
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (connection: LentConnection) => Promise<T>,
  patience: Patience = 'short',
  begin = 'BEGIN',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await LentConnection.with(pool, (connection) => once(connection, work, begin), patience);
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}

async function once<T>(
  connection: LentConnection,
  work: (connection: LentConnection) => Promise<T>,
  begin: string,
): Promise<T> {
  await connection.query({ text: begin });
  try {
    const result = await work(connection);
    const { command } = await connection.query({ text: 'COMMIT' });
    // PostgreSQL's answer to a COMMIT after an error that the work has kept to itself.
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction has failed');
    return result;
  } catch (error) {
    // A connection that is given up takes its transaction with it.
    if (!connection.isBroken) await connection.query({ text: 'ROLLBACK' });
    throw error;
  }
}

function isTransient(error: unknown): boolean {
  return TRANSIENT.has(errorCode(error) ?? '');
}
