import pg from 'pg';

/**
 * Holds up every statement on a table, as another session that has work to do there.
 *
 * @returns lets go of it
 */
export async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'fault' });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return () => client.end();
}
