import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import type { Demonstration } from '../src/cli/demo/demonstration.js';
import { type BenchDatabase, openBenchDatabase } from './support/database.js';
import { load, type LoadRequest, type LoadResult } from './support/load.js';
import { HOT_READS, type Scenario, SCENARIOS } from './support/scenarios.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';

/** How much to measure. */
export interface ManagementOptions {
  readonly rounds: number;
  /** Of each round of each server. */
  readonly seconds: number;
  /** The names of the operations; all when left out. */
  readonly operations?: readonly string[];
}

const HEADINGS = [
  'operation',
  'requests/s',
  'floor',
  'p50 ms',
  'floor',
  'p99 ms',
  'floor',
  'CPU ms',
  'floor',
  'ratio',
  'goal',
];

/** Service and floor in turn, on the same database. @returns a table with the median ratio of each operation, and of all */
export async function measureManagement(options: ManagementOptions): Promise<string> {
  const database = await openBenchDatabase();
  const servers: ServerProcess[] = [];
  try {
    const tenant = await makeTenant(database);
    const variables = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
      KEY_DELETION_RATE_LIMIT: '1000000',
    };
    const service = await ServerProcess.start('dist/src/main.js', variables, '/health/ready');
    servers.push(service);
    const floor = await ServerProcess.start('dist/bench/floor/management.js', variables, '/');
    servers.push(floor);
    const chosen = [...SCENARIOS, ...HOT_READS].filter(({ name }) => options.operations?.includes(name) ?? true);
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const scenario of chosen) {
      const { row, ratio } = await measure(scenario, { database, tenant, service, floor }, options);
      rows.push([...row, '>= 0.6']);
      ratios.push(ratio);
    }
    rows.push(['median', ...Array<string>(8).fill(''), rounded(median(ratios), 2), '>= 0.7']);
    return markdownTable(HEADINGS, rows);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
  }
}

/** What was found of an operation. */
interface Measured {
  readonly row: string[];
  readonly ratio: number;
}

/** What is compared, and for whom. */
interface Servers {
  readonly database: BenchDatabase;
  readonly tenant: Demonstration;
  readonly service: ServerProcess;
  readonly floor: ServerProcess;
}

async function measure(
  scenario: Scenario,
  servers: Servers,
  { rounds, seconds }: ManagementOptions,
): Promise<Measured> {
  const { database, tenant, service, floor } = servers;
  await scenario.prepare?.(database, tenant);
  await database.query('VACUUM ANALYZE');
  let number = 0;
  const headers = scenario.revalidates && { 'if-none-match': await entityTagOf(scenario, servers) };
  const next = (): LoadRequest => ({ ...scenario.request(tenant, number++), ...(headers && { headers }) });
  await requireSameAnswers(scenario, servers, next);
  // Warm-up of compilers and prepared statements, not counted.
  for (const server of [service, floor]) await load(server, tenant.management_key, next, 1);
  const pairs: { service: LoadResult; floor: LoadResult }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({
      service: await load(service, tenant.management_key, next, seconds),
      floor: await load(floor, tenant.management_key, next, seconds),
    });
  }
  const failed = pairs.reduce((sum, pair) => sum + pair.service.failed + pair.floor.failed, 0);
  if (failed > 0) throw new Error(`${scenario.name}: ${failed} requests failed`);
  const ratios = pairs.map((pair) => pair.service.requestsPerSecond / pair.floor.requestsPerSecond);
  const column = (pick: (result: LoadResult) => number, digits: number): string[] => [
    rounded(median(pairs.map((pair) => pick(pair.service))), digits),
    rounded(median(pairs.map((pair) => pick(pair.floor))), digits),
  ];
  const row = [
    scenario.name,
    ...column((result) => result.requestsPerSecond, 0),
    ...column((result) => result.p50, 1),
    ...column((result) => result.p99, 1),
    ...column((result) => result.processorMs, 3),
    `${rounded(median(ratios), 2)} (${rounded(Math.min(...ratios), 2)} to ${rounded(Math.max(...ratios), 2)})`,
  ];
  process.stdout.write(`${row.join('  ')}\n`);
  return { row, ratio: median(ratios) };
}

/** The floor is one only while it answers what the service answers. Writes differ in ids, times and secrets. */
async function requireSameAnswers(
  scenario: Scenario,
  { tenant, service, floor }: Servers,
  next: () => LoadRequest,
): Promise<void> {
  const answers: string[] = [];
  for (const server of [service, floor]) {
    const request = next();
    const { method } = request;
    const response = await ask(server, tenant, request);
    const text = await response.text();
    const succeeded = scenario.revalidates ? response.status === 304 : response.ok;
    if (!succeeded) throw new Error(`${scenario.name}: ${response.status} ${text}`);
    answers.push(method === 'GET' ? text : shapeOf(text));
  }
  if (answers[0] !== answers[1]) throw new Error(`${scenario.name}: service and floor differ:\n${answers.join('\n')}`);
}

async function entityTagOf(scenario: Scenario, { tenant, service }: Servers): Promise<string> {
  return (await ask(service, tenant, scenario.request(tenant, 0))).headers.get('etag')!;
}

function ask(server: ServerProcess, tenant: Servers['tenant'], request: LoadRequest): Promise<Response> {
  const { method, path, body, headers } = request;
  return fetch(`${server.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.management_key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function shapeOf(text: string): string {
  return text.replaceAll(/"[0-9a-f-]{36}"|"sk-[^"]+"|"\d{4}-\d\d-\d\dT[^"]+"/g, '"..."');
}
