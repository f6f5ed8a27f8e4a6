import type { Demonstration } from '../../src/cli/demo/demonstration.js';
import { LIMIT_BASE_PATH, LIMIT_ENCRYPTION_KEY } from '../limit/constants.js';
import { type BenchDatabase, openBenchDatabase } from '../support/database.js';
import { ServerProcess } from '../support/server-process.js';
import { makeTenant } from '../support/tenant.js';

/** The path of a chat completion, in service and limit alike. */
export const CHAT_PATH = `${LIMIT_BASE_PATH}/chat/completions`;

/** The model that is asked for, which the instant provider has. */
export const MODEL = 'openai/gpt-5.5';

/** Service and limit before the same instant provider and the same database. */
export interface TestBed {
  readonly database: BenchDatabase;
  readonly tenant: Demonstration;
  readonly upstream: ServerProcess;
  readonly service: ServerProcess;
  readonly limit: ServerProcess;
  /** Starts another service, which ends with the others. @param variables over those that all have */
  startService(variables?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** Starts what the benchmarks of the gateway are run on. */
export async function openTestBed(): Promise<TestBed> {
  const database = await openBenchDatabase();
  const servers: ServerProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
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
      ENCRYPTION_KEY: LIMIT_ENCRYPTION_KEY.toString('base64'),
      PROVIDER_OPENAI_BASE_URL: `${upstream.origin}/v1`,
      PROVIDER_OPENAI_API_KEY: 'bench',
      UPSTREAM_URL: `${upstream.origin}/v1`,
    };
    const startService = (own: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
      start('dist/src/main.js', { ...variables, ...own }, '/health/ready');
    const [service, limit] = [await startService(), await start('dist/bench/limit/main.js', variables, '/')];
    return { database, tenant, upstream, service, limit, startService, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends a request for management to the service. @returns the parsed answer */
export async function manage<Body>({ service }: TestBed, key: string, path: string, body: object): Promise<Body> {
  const response = await fetch(`${service.origin}${LIMIT_BASE_PATH}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** A new key. @returns the key itself, and its hash */
export async function newKey(testBed: TestBed, managementKey: string): Promise<{ key: string; hash: string }> {
  const { key, data } = await manage<{ key: string; data: { hash: string } }>(testBed, managementKey, '/keys', {
    name: 'Bench',
  });
  return { key, hash: data.hash };
}

/** A question whose answer is whole. */
export function question(content = 'Say nine words.'): object {
  return { model: MODEL, messages: [{ role: 'user', content }] };
}
