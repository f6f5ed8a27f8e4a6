import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';

/** How long a statement may run, in milliseconds: above every statement of the service, below a caller's patience. */
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * How to connect to PostgreSQL: the same for the service, its tests, its command line and TypeORM's.
 *
 * @param url a postgres:// URL
 * @param poolSize how many connections this process opens at most
 */
export function connectionOptions(url: string, poolSize = 20): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    synchronize: false,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    // One transaction for each migration, so that one may do what cannot be done inside a larger one.
    migrationsTransactionMode: 'each',
    extra: {
      max: poolSize,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: 2_000,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  };
}
