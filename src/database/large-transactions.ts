import type { Pool } from 'pg';
import type { LentConnection } from './lent-connection.js';
import { errorCode } from './system-error.js';
import { TimeLimits } from './time-limits.js';
import { inTransaction } from './transaction.js';

/** SQLSTATE of a statement that has taken too long. One that has waited too long for a lock has another. */
const OUT_OF_TIME = '57014';

/** What share of the pool may do large work at once, so that everybody else finds a connection. */
const SHARE = 0.5;

/**
 * Transactions whose size the data decides (docs/adr/0011). Nearly all of them are as small as any other, so each is tried in
 * the time that others have; what does not come to an end in it is done once more, with the time that it needs.
 */
export class LargeTransactions {
  private underWay = 0;

  constructor(private readonly pool: Pool) {}

  /**
   * @param inTime the same work, in the time of a request
   * @param work must not change anything but the database
   */
  async run<T>(inTime: () => Promise<T>, work: (connection: LentConnection) => Promise<T>): Promise<T> {
    try {
      return await inTime();
    } catch (error) {
      if (errorCode(error) !== OUT_OF_TIME || this.underWay >= this.pool.options.max * SHARE) throw error;
    }
    this.underWay += 1;
    try {
      return await inTransaction(this.pool, work, 'long', beginOf(this.pool));
    } finally {
      this.underWay -= 1;
    }
  }
}

/** Begins a transaction with more time for work, and no more than others have to wait for a lock. */
function beginOf(pool: Pool): string {
  const { largeStatement, lock } = TimeLimits.of(pool);
  return `BEGIN; SET LOCAL statement_timeout = ${largeStatement}; SET LOCAL lock_timeout = ${lock}`;
}
