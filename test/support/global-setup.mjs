import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
// Jest maps no module names here, so what was built is used; `npm test` builds first.
import { startEmbeddedPostgres } from '../../dist/src/database/embedded/embedded-postgres.js';
import { migrate } from '../../dist/src/database/migrate.js';

/** Finds a PostgreSQL server for the tests, or starts one, and makes the migrated template database. */
export default async function setUp() {
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given === undefined ? await startEmbedded() : undefined;
  const serverUrl = given ?? embedded.server.url;
  const template = `gatehouse_template_${randomBytes(8).toString('hex')}`;
  await run(serverUrl, `CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`);
  const templateUrl = Object.assign(new URL(serverUrl), { pathname: `/${template}` });
  // The application is tested as the role that it has in production: a right that it lacks is found.
  const service = { username: `gatehouse_test_service_${randomBytes(8).toString('hex')}`, password: 'service' };
  await run(serverUrl, `CREATE ROLE ${service.username} LOGIN PASSWORD '${service.password}'`);
  await migrate(templateUrl.href, Object.assign(new URL(templateUrl), service).href);
  // What a test makes for itself is there for the application as well.
  await run(
    templateUrl.href,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${service.username}`,
  );
  // How the tests learn of it: see test-server.ts.
  process.env.GATEHOUSE_TEST_SERVER_URL = serverUrl;
  process.env.GATEHOUSE_TEST_TEMPLATE = template;
  process.env.GATEHOUSE_TEST_SERVICE = JSON.stringify(service);
  // How the teardown learns of it.
  globalThis.gatehouseTestServer = {
    async clear() {
      await run(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      // Not where a test has left a database behind, in which the role has rights.
      if (given !== undefined) {
        await run(
          serverUrl,
          `DO $$ BEGIN DROP ROLE ${service.username}; EXCEPTION WHEN dependent_objects_still_exist THEN END $$`,
        );
      }
      await embedded?.clear();
    },
  };
}

async function startEmbedded() {
  const dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-tests-'));
  // The account that PostgreSQL runs under must be able to enter it.
  await chmod(dataDirectory, 0o755);
  const server = await startEmbeddedPostgres({
    dataDirectory,
    log: () => undefined,
    // What the tests write need not outlive them.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  return {
    server,
    async clear() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function run(serverUrl, statement) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
