import pg from 'pg';

/** What the role of the service may do with a table that has no entry below. */
const ORDINARY = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Tables that the service only adds to or only reads: what it has recorded, it cannot change. */
const RESTRICTED: Readonly<Record<string, readonly string[]>> = {
  audit_events: ['SELECT', 'INSERT'],
  audit_links: ['SELECT'],
  audit_heads: ['SELECT'],
  audit_large_changes: ['SELECT'],
  schema_migrations: ['SELECT'],
};

/** Whether a role owns tables, may do all that their owner may, or is a superuser. $1 is the role. */
const OWNS_TABLES = `SELECT pg_has_role($1, relowner, 'USAGE') AS owns FROM pg_class
  WHERE oid = to_regclass('audit_events')`;

/** Rights that are missing, and rights that are too many, as the statements that give and take them. */
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
    WHERE relnamespace = $2::text::regnamespace AND relkind IN ('r', 'p', 'S') AND pg_has_role(relowner, 'USAGE')
  ), held AS (
    SELECT *, CASE relkind WHEN 'S' THEN has_sequence_privilege($1, oid, privilege)
      ELSE has_table_privilege($1, oid, privilege) END AS is_held
    FROM wanted
  )
  SELECT format(CASE WHEN is_wanted THEN 'GRANT %s ON %s %s TO %I' ELSE 'REVOKE %s ON %s %s FROM %I' END,
    privilege, CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, name, $1::text) AS statement
  FROM held WHERE is_wanted <> is_held ORDER BY 1`;

/**
 * Gives the role of the service the rights that it needs, and takes those from it that it must not have: it changes rows, but
 * neither tables nor the audit trail. Nothing is done where it has just these, or where it owns the tables itself.
 *
 * @param ownerUrl a postgres:// URL of the migrated database, for the owner of its tables
 * @param serviceUrl the same database as the service reaches it
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
    ]);
    const statements = changes.map(({ statement }) => statement);
    if (!schema.is_usable) {
      statements.push(`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema.name)} TO ${pg.escapeIdentifier(role)}`);
    }
    if (statements.length > 0) await client.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
  });
}

/**
 * Finds out whether the service could change the audit trail.
 *
 * @param serviceUrl a postgres:// URL of the migrated database, as the service reaches it
 * @returns its role, where that owns the tables, may act as their owner, or is a superuser; undefined otherwise
 */
export async function roleThatOwnsTrail(serviceUrl: string): Promise<string | undefined> {
  const role = await roleOf(serviceUrl);
  return withClient(serviceUrl, async (client) => ((await ownsTables(client, role)) ? role : undefined));
}

async function ownsTables(client: pg.Client, role: string): Promise<boolean> {
  return (await client.query<{ owns: boolean }>(OWNS_TABLES, [role])).rows[0]?.owns ?? false;
}

/** Asked of the server, because a pooler may log in as another role than its clients. */
function roleOf(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
    return rows[0]!.role;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse roles' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
