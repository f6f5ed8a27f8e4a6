import type { DataSourceOptions } from 'typeorm';
import type { Environment } from '../config/environment.js';
import { MIGRATIONS } from './migrations/index.js';
import { NamingStrategy } from './naming-strategy.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** How long an idle connection stays open, in milliseconds. Long, because opening one costs as much as many statements. */
const IDLE_CONNECTION_MS = 300_000;

/**
 * How PostgreSQL plans statements (docs/adr/0003-named-statements-on-hot-reads.md#plans).
 *
 * Each prepared statement is planned once per connection, independently of its parameters. By default the pages of long lists would be
 * planned again on every execution, because a parameterized LIMIT is estimated as a tenth of all rows; the resulting plans are the same.
 *
 * A table is read whole only where no index will do. A plan that was made while a table had few rows would otherwise go on reading all of
 * them after it has grown, until PostgreSQL next analyzes it; so would the checks of foreign keys. PostgreSQL up to 17 counts a table that
 * has to be read whole as so expensive that it would compile the statement.
 */
export const PLANNING: Planning = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

/** Settings of PostgreSQL's planner, by name. */
export type Planning = Readonly<Record<string, string>>;

/** {@link PLANNING} as options of a connection. */
export const PLANNING_OPTIONS = optionsOf(Object.entries(PLANNING));

/** What connections of the service are called in `pg_stat_activity`. Another name than before tells older replicas ({@link OLDER_APPLICATION_NAME}). */
const APPLICATION_NAME = 'gatehouse service';

/** What connections of releases up to ce0bbf8b are called. */
export const OLDER_APPLICATION_NAME = 'gatehouse';

/** Options to connect to PostgreSQL without time limits: for migrations and TypeORM's command line. */
export function connectionOptions(url: string): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: APPLICATION_NAME,
    synchronize: false,
    namingStrategy: new NamingStrategy(),
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    // One transaction for each migration, because a migration may contain statements that need a transaction of their own.
    migrationsTransactionMode: 'each',
  };
}

/**
 * Options for the service's connections to PostgreSQL.
 *
 * @param environment has the size of the pool, and the time limit from which {@link DatabaseTimeouts} derives the others
 * @param url a postgres:// URL
 * @param planning how its statements are planned
 */
export function serviceConnectionOptions(
  { databasePoolSize, databaseStatementTimeoutMs }: Environment,
  url: string,
  planning = PLANNING,
): DataSourceOptions & { type: 'postgres' } {
  const { lock, idleInTransaction } = DatabaseTimeouts.ofStatement(databaseStatementTimeoutMs);
  return {
    ...connectionOptions(withOptions(url, planning)),
    extra: {
      max: databasePoolSize,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      statement_timeout: databaseStatementTimeoutMs,
      lock_timeout: lock,
      idle_in_transaction_session_timeout: idleInTransaction,
    },
  };
}

/** Adds settings to the URL's options: if the URL has options, the driver uses only those. */
function withOptions(url: string, planning: Planning): string {
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  // A setting in the URL takes precedence.
  const added = Object.entries(planning).filter(([name]) => !new RegExp(`\\b${name}\\b`).test(options));
  address.searchParams.set('options', `${options} ${optionsOf(added)}`.trim());
  return address.href;
}

function optionsOf(settings: readonly (readonly [name: string, value: string])[]): string {
  return settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
}
