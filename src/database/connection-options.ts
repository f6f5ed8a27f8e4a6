import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { ServiceClient } from './service-client.js';

// When the database is gone, callers have their answer within 2 s. Whoever finds an open connection then waits for a
// statement in vain, and whoever finds none for a connection, but nobody for both.

/** How long a connection may take, be it a new one or one that others use, in milliseconds. */
export const CONNECTION_TIMEOUT_MS = 1_500;

/** How long PostgreSQL works on one statement of a request, in milliseconds: far above those whose size we decide. */
const STATEMENT_TIMEOUT_MS = 900;

/**
 * How long a statement waits for a lock that others hold, in milliseconds: less than it may take in all, so that what others
 * hold up is told from what has much to do.
 */
export const LOCK_TIMEOUT_MS = 800;

/** How long PostgreSQL works on one statement of a write whose size the data decides, in milliseconds (docs/adr/0011). */
export const LARGE_STATEMENT_TIMEOUT_MS = 30_000;

/**
 * How long the answer to a statement of a request is waited for, in milliseconds: longer than PostgreSQL works on it, so
 * that a connection is only given up when nobody answers on it.
 */
export const ANSWER_TIMEOUT_MS = 1_000;

/** The same of a write whose size the data decides. */
export const LARGE_ANSWER_TIMEOUT_MS = 31_000;

/** How long a connection is kept that nobody uses, in milliseconds: to open one costs as much as many statements. */
const IDLE_CONNECTION_MS = 300_000;

/** How long a transaction may do nothing, in milliseconds: whoever began it is gone, and holds others up. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * Statements are planned once for each connection, whatever their parameters. Left to itself PostgreSQL plans the pages of
 * long lists anew each time, because it takes a LIMIT that is a parameter for a tenth of all rows; the plans are the same.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** How to connect to PostgreSQL, for whatever takes its time: migrations, and TypeORM's command line. */
export function connectionOptions(url: string): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    synchronize: false,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    // One transaction for each migration, so that one may do what cannot be done inside a larger one.
    migrationsTransactionMode: 'each',
  };
}

/**
 * How to connect to PostgreSQL, for the service.
 *
 * @param url a postgres:// URL
 * @param poolSize how many connections this process opens at most
 */
export function serviceConnectionOptions(url: string, poolSize: number): DataSourceOptions & { type: 'postgres' } {
  return {
    ...connectionOptions(withOptions(url)),
    extra: {
      Client: ServiceClient,
      max: poolSize,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  };
}

/** The URL with {@link PLANNED_ONCE} added to its options: the driver takes those of a URL and no others where it has some. */
function withOptions(url: string): string {
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  // What a deployment has decided itself stays.
  if (options.includes('plan_cache_mode')) return url;
  address.searchParams.set('options', `${options} ${PLANNED_ONCE}`.trim());
  return address.href;
}
