import pg from 'pg';
import { DataSource } from 'typeorm';
import { connectionOptions } from './connection-options.js';
import { DatabaseReadOnly, isReadOnlyRefusal } from './database-failures.js';
import { grantServiceRole } from './service-role.js';

/** The advisory lock under which migrations run: any number, the same for every replica. */
const MIGRATION_LOCK = 7_103_482_001;

/**
 * Brings the database up to date. Replicas that start at once wait for each other: one migrates, the others find it done.
 *
 * @param url a postgres:// URL, for the role that owns the tables
 * @param serviceUrl the same database as the service reaches it; where that is as another role, it gets the rights it needs
 * @returns the names of the migrations that ran now
 * @throws DatabaseReadOnly when there is something to migrate and the server accepts no writes
 */
export async function migrate(url: string, serviceUrl = url): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, async () => {
    const dataSource = await new DataSource(connectionOptions(url)).initialize();
    try {
      const migrations = await dataSource.runMigrations();
      if (serviceUrl !== url) await grantServiceRole(url, serviceUrl);
      return migrations.map((migration) => migration.name);
    } catch (error) {
      throw isReadOnlyRefusal(error) ? new DatabaseReadOnly({ cause: error }) : error;
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Runs work while no other process holds the same lock; the lock goes with the connection, whatever happens. */
export async function withAdvisoryLock<T>(url: string, lock: number, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse lock' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    return await work();
  } finally {
    await client.end();
  }
}
