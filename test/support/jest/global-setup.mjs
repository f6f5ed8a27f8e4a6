import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
// Jest maps no module names here, so what was built is used; `npm test` builds first.
import { startEmbeddedPostgres } from '../../../dist/packages/embedded-postgres/index.js';
import { migrate } from '../../../dist/src/persistence/migrate.js';
import { memoryDirectory } from './memory-directory.mjs';

/** Finds a PostgreSQL server for the tests, or starts one, and makes the migrated template database. */
export default async function setUp() {
  // Where the tests put their files too.
  process.env.TMPDIR = (await memoryDirectory()) ?? os.tmpdir();
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
  // How the tests learn of it: see test-database.ts.
  process.env.GATEHOUSE_TEST_SERVER_URL = serverUrl;
  process.env.GATEHOUSE_TEST_TEMPLATE = template;
  process.env.GATEHOUSE_TEST_SERVICE = JSON.stringify(service);
  const redis = await startRedis();
  if (redis !== undefined) process.env.GATEHOUSE_TEST_REDIS_URL = redis.url;
  // How the teardown learns of it.
  globalThis.gatehouseTestServer = {
    async clear() {
      await redis?.stop();
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
    settings: {
      // What the tests write need not outlive them.
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '128MB' },
      // Nor does anybody guess the password of the service's role, whose connections are thousands.
      scram_iterations: '1',
    },
  });
  return {
    server,
    async clear() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Starts the Redis that is installed, or takes the one at 127.0.0.1:6379. @returns undefined where there is neither */
async function startRedis() {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  const isStarted = await new Promise((resolve) => {
    server.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
  const url = `redis://127.0.0.1:${isStarted ? port : 6379}`;
  // A server that has just been started takes a moment to listen.
  const retryStrategy = () => (isStarted && server.exitCode === null ? 20 : null);
  const connection = new Redis(url, { lazyConnect: true, retryStrategy, maxRetriesPerRequest: null });
  connection.on('error', () => undefined);
  try {
    await connection.connect().catch(() => connection.ping());
  } catch {
    return undefined;
  } finally {
    connection.disconnect();
  }
  return {
    url,
    async stop() {
      if (!isStarted) return;
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await exited;
    },
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
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
