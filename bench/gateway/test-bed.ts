import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Demonstration } from '../../src/cli/demo/demonstration.js';
import { BASE_PATH, BENCH_ENCRYPTION_KEY } from '../support/constants.js';
import { type BenchDatabase, openBenchServer } from '../support/database.js';
import { ServerProcess } from '../support/server-process.js';
import { makeTenant } from '../support/tenant.js';

/** The path of a chat completion. */
export const CHAT_PATH = `${BASE_PATH}/chat/completions`;

/** The model that is asked for, which the instant provider has. */
export const MODEL = 'openai/gpt-5.5';

/** Service and floor before the same instant provider, and another revision of the service with a database of its own. */
export interface TestBed {
  readonly database: BenchDatabase;
  readonly tenant: Demonstration;
  readonly upstream: ServerProcess;
  readonly service: ServerProcess;
  /** The floor. */
  readonly proxy: ServerProcess;
  /** Another revision, with a tenant of its own; undefined without `--beside`. */
  readonly beside: Beside | undefined;
  /** Starts another service, which ends with the others. @param variables over those that all have */
  startService(variables?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** Another revision of the service. */
export interface Beside {
  readonly service: ServerProcess;
  readonly tenant: Demonstration;
}

/**
 * Starts what the benchmarks of the gateway are run on.
 *
 * @param revision the folder of a built checkout of another revision
 */
export async function openTestBed(revision?: string): Promise<TestBed> {
  const bench = await openBenchServer();
  const database = await bench.database();
  const another = revision === undefined ? undefined : await bench.database(false);
  const servers: ServerProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
    await another?.close();
    await bench.close();
  };
  const start = async (...parameters: Parameters<typeof ServerProcess.start>): Promise<ServerProcess> => {
    const server = await ServerProcess.start(...parameters);
    servers.push(server);
    return server;
  };
  try {
    const tenant = await makeTenant(database);
    const upstream = await start('dist/bench/upstream/main.js', {}, '/');
    const variables = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
      PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1`,
      PROVIDER_OPENAI_API_KEY: 'bench',
      UPSTREAM_URL: `${upstream.origin}/v1`,
    };
    const ofAnother = { ...variables, DATABASE_URL: another?.url ?? '' };
    const beside = another && {
      // Migrates the database.
      service: await start(path.join(revision!, 'dist/src/main.js'), ofAnother, '/health/ready'),
      tenant: await tenantOf(revision!, ofAnother),
    };
    const startService = (own: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
      start('dist/src/main.js', { ...variables, ...own }, '/health/ready');
    const service = await startService();
    const proxy = await start('dist/bench/floor/proxy.js', variables, '/');
    return { database, tenant, upstream, service, proxy, beside, startService, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The tenant that another revision makes. */
async function tenantOf(revision: string, variables: Readonly<Record<string, string>>): Promise<Demonstration> {
  const env = { ...process.env, ...variables };
  const main = path.join(revision, 'dist/src/cli/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'demo'], { env });
  return JSON.parse(stdout) as Demonstration;
}

/** Sends a request for management to a service. @returns the parsed answer */
export async function manage<Body>(
  { service }: Pick<TestBed, 'service'>,
  key: string,
  operation: string,
  body: object,
): Promise<Body> {
  const response = await fetch(`${service.origin}${BASE_PATH}${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** A new key. @param fields of it besides its name @returns the key itself, and its hash */
export async function newKey(
  testBed: Pick<TestBed, 'service'>,
  managementKey: string,
  fields: object = {},
): Promise<{ key: string; hash: string }> {
  const { key, data } = await manage<{ key: string; data: { hash: string } }>(testBed, managementKey, '/keys', {
    name: 'Bench',
    ...fields,
  });
  return { key, hash: data.hash };
}

/** A question whose answer is whole. */
export function question(content = 'Say nine words.'): object {
  return { model: MODEL, messages: [{ role: 'user', content }] };
}
