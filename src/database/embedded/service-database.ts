import pg from 'pg';
import { SUPERUSER } from './cluster.js';

/** The database that the service keeps its tables in. */
export const SERVICE_DATABASE = 'gatehouse';

/** Gives the URL of the service's database (or another) on the server at a port of 127.0.0.1. It holds the password. */
export function databaseUrl(port: number, password: string, database = SERVICE_DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Takes where a server accepts connections and creates the service's database there, in UTF-8, unless there is one.
 * Throws what PostgreSQL answers when it cannot.
 */
export async function ensureServiceDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [SERVICE_DATABASE]);
    if (found.rowCount === 0) {
      await client.query(`CREATE DATABASE ${SERVICE_DATABASE} TEMPLATE template0 ENCODING 'UTF8'`);
    }
  } finally {
    await client.end();
  }
}
