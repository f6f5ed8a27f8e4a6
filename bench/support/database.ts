import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/index.js';
import { migrate } from '../../src/persistence/migrate.js';

/** A migrated database of its own for a benchmark. */
export interface BenchDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A PostgreSQL server for benchmarks. */
export interface BenchServer {
  /** Makes a migrated database, or with `isMigrated` false one with nothing in it. */
  database(isMigrated?: boolean): Promise<BenchDatabase>;
  /** Closes what is left open. Every database has to be closed before. */
  close(): Promise<void>;
}

/** The server of DATABASE_URL, or an embedded one that is created for the benchmark and removed after it. */
export async function openBenchServer(): Promise<BenchServer> {
  const given = process.env['DATABASE_URL'];
  const embedded = given === undefined ? await startEmbedded() : undefined;
  const serverUrl = given ?? embedded!.url;
  const administration = new pg.Client({ connectionString: serverUrl });
  await administration.connect();
  return {
    async database(isMigrated = true) {
      const name = `gatehouse_bench_${randomBytes(6).toString('hex')}`;
      await administration.query(`CREATE DATABASE ${name}`);
      const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
      if (isMigrated) await migrate(url);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return {
        url,
        query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
          (await client.query<Row>(text, values)).rows,
        async close() {
          await client.end();
          await administration.query(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    async close() {
      await administration.end();
      await embedded?.stop();
    },
  };
}

/** One database of such a server. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const server = await openBenchServer();
  const database = await server.database();
  return {
    ...database,
    async close() {
      await database.close();
      await server.close();
    },
  };
}

async function startEmbedded(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDirectory = await makeDataDirectory();
  const server = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** A new directory that the account can enter which an embedded server runs under. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-bench-'));
  await chmod(directory, 0o755);
  return directory;
}
