import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { ServiceClient } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/** How long a connection is kept that nobody uses, in milliseconds: to open one costs as much as many statements. */
const IDLE_CONNECTION_MS = 300_000;

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
 * @param statementTimeout what PostgreSQL may take for one statement of a request, in milliseconds; {@link TimeLimits} has
 *   what follows from it
 */
export function serviceConnectionOptions(
  url: string,
  poolSize: number,
  statementTimeout: number,
): DataSourceOptions & { type: 'postgres' } {
  const { lock, idleInTransaction } = new TimeLimits(statementTimeout);
  return {
    ...connectionOptions(withOptions(url)),
    extra: {
      Client: ServiceClient,
      max: poolSize,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: statementTimeout,
      lock_timeout: lock,
      idle_in_transaction_session_timeout: idleInTransaction,
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
