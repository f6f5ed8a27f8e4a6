import pg from 'pg';
import { SUPERUSER } from './cluster.js';

/** The database that the service keeps its tables in. */
export const SERVICE_DATABASE = 'gatehouse';

/** The role that the service works as: it owns nothing, and cannot change the audit trail. */
const SERVICE_ROLE = 'gatehouse_service';

/** A role of the server, and its password. */
export interface Credentials {
  readonly role: string;
  readonly password: string;
}

/** Takes the password of the superuser, who owns the tables, and gives their credentials. */
export function ownerCredentials(password: string): Credentials {
  return { role: SUPERUSER, password };
}

/** Takes the password of the service's role and gives its credentials. */
export function serviceCredentials(password: string): Credentials {
  return { role: SERVICE_ROLE, password };
}

/** Gives the URL of the service's database (or another) on the server at a port of 127.0.0.1. It holds the password. */
export function databaseUrl(port: number, { role, password }: Credentials, database = SERVICE_DATABASE): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Takes where a server accepts connections and creates the service's database there, in UTF-8, unless there is one, and the
 * service's role, unless there is one; that has the given password from then on, and no right to anything but what it is
 * granted. Throws what PostgreSQL answers when it cannot.
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
