import pg from 'pg';
import { DataSource } from 'typeorm';
import { connectionOptions } from './connection-options.js';
import { DatabaseReadOnly, DatabaseUnusable, errorCode, isReadOnlyRefusal } from './database-failures.js';
import { MIGRATIONS } from './migrations/index.js';

/** The advisory lock under which migrations run: any number, the same for every replica. */
export const MIGRATION_LOCK = 7_103_482_001;

/** The SQLSTATE of what a role may not do. */
const INSUFFICIENT_PRIVILEGE = '42501';

const MAY_NOT_MIGRATE =
  'The database has to be migrated, and this role may not do so. Set MIGRATION_DATABASE_URL to the owner of the tables, or run ' +
  '`gatehouse migrate` with it (docs/operations.md, Roles of the database).';

/**
 * Runs the pending migrations. Replicas that start at the same time wait for each other, so that only one of them migrates.
 *
 * @param url a postgres:// URL, for the role that owns the tables
 * @param serviceUrl the URL that the service uses for the same database; if its role differs, the role is granted the
 *   privileges it needs
 * @returns the names of the migrations that were run
 * @throws DatabaseUnusable when the role may not migrate
 * @throws DatabaseReadOnly when migrations are pending and the server accepts no writes
 */
export async function migrate(url: string, serviceUrl = url): Promise<string[]> {
  // PostgreSQL releases the lock when the connection ends, also after a crash.
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const dataSource = await new DataSource(connectionOptions(url)).initialize();
    try {
      const migrations = await dataSource.runMigrations();
      if (serviceUrl !== url) await grantServiceRole(url, serviceUrl);
      return migrations.map((migration) => migration.name);
    } catch (error) {
      if (isReadOnlyRefusal(error)) throw new DatabaseReadOnly({ cause: error });
      if (errorCode(error) === INSUFFICIENT_PRIVILEGE) throw new DatabaseUnusable(MAY_NOT_MIGRATE, { cause: error });
      throw error;
    } finally {
      await dataSource.destroy();
    }
  });
}

/** How far a database is migrated. */
export interface MigrationState {
  /** Whether nothing was ever migrated. */
  readonly isEmpty: boolean;
  /** The number of migrations of this release that were not run yet. */
  readonly pending: number;
}

/** Reads how far a database is migrated, with the privileges of the service. @param url a postgres:// URL */
export async function migrationStateOf(url: string): Promise<MigrationState> {
  return withClient(url, async (client) => {
    const { rows: found } = await client.query<{ exists: boolean }>(
      `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
    );
    if (found[0]?.exists !== true) return { isEmpty: true, pending: MIGRATIONS.length };
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const run = new Set(rows.map(({ name }) => name));
    return { isEmpty: rows.length === 0, pending: MIGRATIONS.filter(({ name }) => !run.has(name)).length };
  });
}

/** The privileges of the service's role on a table without an entry below. */
const ORDINARY = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Tables that the service only appends to or only reads, so that it cannot change what it has recorded. */
const RESTRICTED: Readonly<Record<string, readonly string[]>> = {
  audit_events: ['SELECT', 'INSERT'],
  audit_links: ['SELECT'],
  audit_heads: ['SELECT'],
  audit_large_changes: ['SELECT'],
  schema_migrations: ['SELECT'],
};

/** Functions that the service's role may call although they run as the owner; others may not. */
const FUNCTIONS = [
  'make_generation_partitions()',
  'drop_generation_partitions(integer)',
  'make_usage_partitions()',
  'drop_usage_partitions()',
  'make_month_partition(text, date)',
];

/** Whether a role owns tables, is a member of their owner, or is a superuser. $1 is the role. */
const OWNS_TABLES = `SELECT pg_has_role($1, relowner, 'USAGE') AS owns FROM pg_class
  WHERE oid = to_regclass('audit_events')`;

/** Missing and excess privileges, as the statements that grant and revoke them. */
const CHANGES = `
  WITH wanted AS (
    SELECT class.oid, format('%I.%I', $2::text, relname) AS name, relkind, privilege,
      CASE relkind
        WHEN 'S' THEN privilege IN ('SELECT', 'USAGE')
        ELSE coalesce($3::jsonb -> relname, to_jsonb($4::text[])) ? privilege
      END AS is_wanted
    FROM pg_class class CROSS JOIN unnest(CASE relkind
      WHEN 'S' THEN ARRAY['SELECT', 'USAGE', 'UPDATE']
      ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] END) AS privilege
    WHERE relnamespace = $2::text::regnamespace AND relkind IN ('r', 'p', 'S') AND NOT relispartition
      AND pg_has_role(relowner, 'USAGE')
  ), held AS (
    SELECT *, CASE relkind WHEN 'S' THEN has_sequence_privilege($1, oid, privilege)
      ELSE has_table_privilege($1, oid, privilege) END AS is_held
    FROM wanted
  )
  SELECT format(CASE WHEN is_wanted THEN 'GRANT %s ON %s %s TO %I' ELSE 'REVOKE %s ON %s %s FROM %I' END,
    privilege, CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, name, $1::text) AS statement
  FROM held WHERE is_wanted <> is_held
  UNION ALL
  SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', signature, $1::text) AS statement
  FROM unnest($5::text[]::regprocedure[]) AS signature WHERE NOT has_function_privilege($1, signature, 'EXECUTE')
  ORDER BY 1`;

/**
 * Grants the service's role the privileges that it needs and revokes those that it must not have: it changes rows, but
 * neither tables nor the audit trail. It reaches partitions through their table. Does nothing if the privileges are right or
 * the role owns the tables.
 *
 * @param ownerUrl a postgres:// URL of the migrated database, for the owner of its tables
 * @param serviceUrl the URL that the service uses for the same database
 */
export async function grantServiceRole(ownerUrl: string, serviceUrl: string): Promise<void> {
  const role = await roleOf(serviceUrl);
  await withClient(ownerUrl, async (client) => {
    if (await ownsTables(client, role)) return;
    const { rows: schemas } = await client.query<{ name: string; is_usable: boolean }>(
      `SELECT current_schema() AS name, has_schema_privilege($1, current_schema(), 'USAGE') AS is_usable`,
      [role],
    );
    const [schema] = schemas;
    if (schema === undefined) throw new Error('a statement that always has a row has none');
    const { rows: changes } = await client.query<{ statement: string }>(CHANGES, [
      role,
      schema.name,
      JSON.stringify(RESTRICTED),
      ORDINARY,
      FUNCTIONS,
    ]);
    const statements = changes.map(({ statement }) => statement);
    if (!schema.is_usable) {
      statements.push(`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema.name)} TO ${pg.escapeIdentifier(role)}`);
    }
    if (statements.length > 0) await client.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
  });
}

/**
 * Checks whether the service could change the audit trail.
 *
 * @param serviceUrl the postgres:// URL of the migrated database that the service uses
 * @returns its role, if the role owns the tables, is a member of their owner, or is a superuser; otherwise undefined
 */
export async function roleOwningAuditTrail(serviceUrl: string): Promise<string | undefined> {
  const role = await roleOf(serviceUrl);
  return withClient(serviceUrl, async (client) => ((await ownsTables(client, role)) ? role : undefined));
}

async function ownsTables(client: pg.Client, role: string): Promise<boolean> {
  return (await client.query<{ owns: boolean }>(OWNS_TABLES, [role])).rows[0]?.owns ?? false;
}

/** Queries the server, because a pooler may log in with another role than its clients. */
function roleOf(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
    return rows[0]!.role;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse migrations' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
