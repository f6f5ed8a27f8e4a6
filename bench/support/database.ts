import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';

/** A migrated database of its own for a benchmark. */
export interface BenchDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** On the server of DATABASE_URL, or on an embedded one that is made for the benchmark and thrown away. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const given = process.env['DATABASE_URL'];
  const embedded = given === undefined ? await startEmbedded() : undefined;
  const serverUrl = given ?? embedded!.url;
  const name = `gatehouse_bench_${randomBytes(6).toString('hex')}`;
  const administration = new pg.Client({ connectionString: serverUrl });
  await administration.connect();
  await administration.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    async close() {
      await client.end();
      await administration.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await administration.end();
      await embedded?.stop();
    },
  };
}

async function startEmbedded(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-bench-'));
  await chmod(dataDirectory, 0o755);
  const server = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
