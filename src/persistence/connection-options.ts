import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { ServiceClient } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/** How long an idle connection stays open, in milliseconds. Long, because opening one costs as much as many statements. */
const IDLE_CONNECTION_MS = 300_000;

/**
 * Makes PostgreSQL plan each prepared statement once per connection, independently of the parameters. By default it would
 * plan the pages of long lists again on every execution, because it estimates a parameterized LIMIT as a tenth of all rows;
 * the resulting plans are the same.
 */
const GENERIC_PLANS = '-c plan_cache_mode=force_generic_plan';

/** Options to connect to PostgreSQL without time limits: for migrations and TypeORM's command line. */
export function connectionOptions(url: string): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    synchronize: false,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    // One transaction for each migration, because a migration may contain statements that need a transaction of their own.
    migrationsTransactionMode: 'each',
  };
}

/**
 * Options for the service's connections to PostgreSQL.
 *
 * @param url a postgres:// URL
 * @param poolSize the maximum number of connections of this process
 * @param statementTimeout the time limit of one statement of a request, in milliseconds; {@link TimeLimits} derives the
 *   other limits from it
 */
export function serviceConnectionOptions(
  url: string,
  poolSize: number,
  statementTimeout: number,
): DataSourceOptions & { type: 'postgres' } {
  const { lock, idleInTransaction } = TimeLimits.ofStatement(statementTimeout);
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

/** Adds {@link GENERIC_PLANS} to the URL's options: if the URL has options, the driver uses only those. */
function withOptions(url: string): string {
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  // A setting in the URL takes precedence.
  if (options.includes('plan_cache_mode')) return url;
  address.searchParams.set('options', `${options} ${GENERIC_PLANS}`.trim());
  return address.href;
}
