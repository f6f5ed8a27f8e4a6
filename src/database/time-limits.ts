import type { Pool } from 'pg';

/** What PostgreSQL may take for one statement of a request where nothing else is configured, in milliseconds. */
const DEFAULT_STATEMENT_MS = 900;

/** How much less than a statement may take in all it waits for a lock, in milliseconds, and at most this part of it. */
const LESS_FOR_LOCKS_MS = 100;
const LARGEST_PART_LESS = 0.5;

/** How much longer than PostgreSQL works on a statement its answer is waited for, in milliseconds. */
const MORE_FOR_ANSWERS_MS = 100;

/** How much longer than a statement a connection may take, in milliseconds. */
const MORE_FOR_CONNECTIONS_MS = 600;

/** What PostgreSQL may take at least for one statement of a write whose size the data decides (docs/adr/0011). */
const LARGE_STATEMENT_MS = 30_000;
const MORE_FOR_LARGE_ANSWERS_MS = 1_000;

/** How long a transaction may do nothing at least, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * How long the service waits for its database, in milliseconds. All follow from what one statement may take
 * (`DATABASE_STATEMENT_TIMEOUT_MS`), so that their relations hold whatever is configured. With the default, callers have
 * their answer within 2 s when the database is gone: where a connection is open, a statement on it is waited for in vain, and
 * where none is, a connection, but never both.
 */
export class TimeLimits {
  private static readonly ofPools = new WeakMap<Pool, TimeLimits>();

  /**
   * How long a statement waits for a lock that others hold: less than it may take in all, so that a statement that others
   * hold up is told from one that has much to do. Never 0, which PostgreSQL reads as no limit.
   */
  readonly lock: number;
  /** How long the answer to a statement is waited for: a connection is only given up when nothing answers on it. */
  readonly answer: number;
  /** How long a connection may take, be it a new one or one that others use. */
  readonly connection: number;
  /** What one statement of a write may take whose size the data decides. */
  readonly largeStatement: number;
  /** How long its answer is waited for. */
  readonly largeAnswer: number;
  /** How long a transaction may do nothing before PostgreSQL ends it: whoever began it is gone, and it holds others up. */
  readonly idleInTransaction: number;

  /** @param statement what PostgreSQL may take for one statement of a request, in whole milliseconds from 100 */
  constructor(readonly statement: number = DEFAULT_STATEMENT_MS) {
    this.lock = statement - Math.min(LESS_FOR_LOCKS_MS, Math.floor(statement * LARGEST_PART_LESS));
    this.answer = statement + MORE_FOR_ANSWERS_MS;
    this.connection = statement + MORE_FOR_CONNECTIONS_MS;
    this.largeStatement = Math.max(LARGE_STATEMENT_MS, statement);
    this.largeAnswer = this.largeStatement + MORE_FOR_LARGE_ANSWERS_MS;
    this.idleInTransaction = Math.max(IDLE_IN_TRANSACTION_MS, statement);
  }

  /** Those that belong to the `statement_timeout` with which a pool connects; the default ones where it has none. */
  static of(pool: Pool): TimeLimits {
    let limits = this.ofPools.get(pool);
    if (limits === undefined) {
      limits = new TimeLimits(pool.options.statement_timeout || undefined);
      this.ofPools.set(pool, limits);
    }
    return limits;
  }
}
