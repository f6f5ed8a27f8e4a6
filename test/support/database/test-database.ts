import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The environment variable by which the global setup tells every test where the server is. */
export const TEST_SERVER_VARIABLE = 'GATEHOUSE_TEST_SERVER_URL';

/** The migrated database that every test's own database is a copy of. */
export const TEMPLATE_VARIABLE = 'GATEHOUSE_TEST_TEMPLATE';

/** The role that applications under test have, as JSON with `username` and `password`; it owns nothing. */
const SERVICE_VARIABLE = 'GATEHOUSE_TEST_SERVICE';

/** A database that one test file has to itself. */
export interface TestDatabase {
  /** As a superuser: for what a test prepares and looks up. */
  readonly url: string;
  /** As an application reaches it. */
  readonly serviceUrl: string;
  drop(): Promise<void>;
}

/** A copy of the migrated template: as good as new, in a tenth of a second. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(process.env[TEMPLATE_VARIABLE]!);
  const service = JSON.parse(process.env[SERVICE_VARIABLE]!) as { username: string; password: string };
  return { ...database, serviceUrl: Object.assign(new URL(database.url), service).href };
}

/** A database with nothing in it at all. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on the server, outside the tests' own databases. */
export async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = process.env[TEST_SERVER_VARIABLE]!;
  const name = `gatehouse_test_${randomBytes(8).toString('hex')}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = databaseUrl(serverUrl, name);
  return {
    url,
    serviceUrl: url,
    drop: () => runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The rows of a statement in a database: what a command has really left there. */
export async function queryRows<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
