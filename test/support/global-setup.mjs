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
  await migrate(Object.assign(new URL(serverUrl), { pathname: `/${template}` }).href);
  // How the tests learn of it: see test-server.ts.
  process.env.GATEHOUSE_TEST_SERVER_URL = serverUrl;
  process.env.GATEHOUSE_TEST_TEMPLATE = template;
  // How the teardown learns of it.
  globalThis.gatehouseTestServer = {
    async clear() {
      await run(serverUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
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
