import type { Pool } from 'pg';
import { OnePerPool } from './one-per-pool.js';

/** The default time limit of one statement of a request, in milliseconds. */
const DEFAULT_STATEMENT_MS = 900;

/** How much shorter the lock timeout is than the statement timeout, in milliseconds, and as the largest share of it. */
const LESS_FOR_LOCKS_MS = 100;
const LESS_FOR_LOCKS_SHARE = 0.5;

/** How much longer the service waits for a result than the statement timeout of PostgreSQL, in milliseconds. */
const MORE_FOR_QUERIES_MS = 100;

/** How much longer the connection timeout is than the statement timeout, in milliseconds. */
const MORE_FOR_CONNECTIONS_MS = 600;

/** How many times as long as a connection is waited for the driver tries to open it. */
const OPENING_SHARE = 2;

/** The minimum time limits of one statement of the bulk pool (docs/adr/0011), in milliseconds. */
const BULK_STATEMENT_MS = 30_000;
const MORE_FOR_BULK_QUERIES_MS = 1_000;

/** The minimum idle timeout of a transaction, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * The time limits of the service for its database, in milliseconds. All are derived from the statement timeout
 * (`DATABASE_STATEMENT_TIMEOUT_MS`), so that their relations hold for every configuration. With the default, callers get a
 * response within 2 s when the database is unreachable: a request runs into the timeout of either a statement or a
 * connection, never both. A request whose organization has too many requests in progress waits for its turn before that, for
 * at most the connection timeout (docs/limits.md).
 */
export class DatabaseTimeouts {
  private static readonly ofPools = new OnePerPool((pool) =>
    DatabaseTimeouts.ofStatement(pool.options.statement_timeout || undefined),
  );

  private constructor(
    readonly statement: number,
    /**
     * The lock timeout of PostgreSQL: shorter than the statement timeout, so that waiting for a lock has an error code of
     * its own. Never 0, which would mean no limit.
     */
    readonly lock: number,
    /** How long the service waits for the result of a statement; then it closes the connection. */
    readonly query: number,
    /** How long the service waits for a connection, whether new or in use. */
    readonly connection: number,
    /**
     * After which time the driver ends an attempt to open a connection. Longer than anybody waits for it, because the driver counts the
     * time in which the event loop was blocked too.
     */
    readonly opening: number,
    /**
     * How long a transaction may be idle before PostgreSQL ends it, because its client has disconnected and it holds locks.
     */
    readonly idleInTransaction: number,
    /** Only for the bulk pool: the limits of the main pool. */
    readonly ofRequests?: DatabaseTimeouts,
  ) {}

  /** @param statement the statement timeout of requests, in whole milliseconds, at least 100 */
  static ofStatement(statement: number = DEFAULT_STATEMENT_MS): DatabaseTimeouts {
    return new DatabaseTimeouts(
      statement,
      statement - Math.min(LESS_FOR_LOCKS_MS, Math.floor(statement * LESS_FOR_LOCKS_SHARE)),
      statement + MORE_FOR_QUERIES_MS,
      statement + MORE_FOR_CONNECTIONS_MS,
      OPENING_SHARE * (statement + MORE_FOR_CONNECTIONS_MS),
      Math.max(IDLE_IN_TRANSACTION_MS, statement),
    );
  }

  /** The limits for the `statement_timeout` of a pool; the default limits if it has none. */
  static of(pool: Pool): DatabaseTimeouts {
    return this.ofPools.of(pool);
  }

  static set(pool: Pool, limits: DatabaseTimeouts): void {
    this.ofPools.set(pool, limits);
  }

  /** Limits for the bulk pool: more time for statements, but the same for locks and connections. */
  forBulk(): DatabaseTimeouts {
    const statement = Math.max(BULK_STATEMENT_MS, this.statement);
    const query = statement + MORE_FOR_BULK_QUERIES_MS;
    return new DatabaseTimeouts(
      statement,
      this.lock,
      query,
      this.connection,
      this.opening,
      this.idleInTransaction,
      this,
    );
  }
}
