import pg from 'pg';
import { SUPERUSER } from './cluster.js';

/** The name of the service's database. */
const SERVICE_DATABASE = 'gatehouse';

/** The role of the service: it owns nothing, and cannot change the audit trail. */
const SERVICE_ROLE = 'gatehouse_service';

/** A role of the server, and its password. */
export interface Credentials {
  readonly role: string;
  readonly password: string;
}

/** The credentials of the superuser, who owns the tables. */
export function ownerCredentials(password: string): Credentials {
  return { role: SUPERUSER, password };
}

/** The credentials of the service's role. */
export function serviceCredentials(password: string): Credentials {
  return { role: SERVICE_ROLE, password };
}

/** The URL of the service's database, or of another, on the server at a port of 127.0.0.1. It contains the password. */
export function databaseUrl(port: number, { role, password }: Credentials, database = SERVICE_DATABASE): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Creates the service's database, in UTF-8, and the service's role, if they do not exist, and sets the password of the role.
 * The role has only the privileges that it is granted. Throws PostgreSQL's error when that fails.
 */
export async function ensureServiceDatabase(port: number, owner: Credentials, service: Credentials): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(port, owner, 'postgres') });
  await client.connect();
  try {
    if (!(await exists(client, 'SELECT FROM pg_database WHERE datname = $1', SERVICE_DATABASE))) {
      await client.query(`CREATE DATABASE ${SERVICE_DATABASE} TEMPLATE template0 ENCODING 'UTF8'`);
    }
    if (!(await exists(client, 'SELECT FROM pg_roles WHERE rolname = $1', service.role))) {
      await client.query(`CREATE ROLE ${service.role}`);
    }
    await client.query(
      `ALTER ROLE ${service.role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD ${pg.escapeLiteral(service.password)}`,
    );
  } finally {
    await client.end();
  }
}

async function exists(client: pg.Client, query: string, name: string): Promise<boolean> {
  return (await client.query(query, [name])).rowCount !== 0;
}
