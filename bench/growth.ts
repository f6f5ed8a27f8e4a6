import type { Demonstration } from '../src/cli/demo/demonstration.js';
import { insertBulk } from './growth/bulk.js';
import { insertForeignRows } from './growth/foreign-rows.js';
import { LatencyProbe } from './growth/latency.js';
import { tenantRows } from './growth/tenant-rows.js';
import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import { type BenchDatabase, type BenchServer, openBenchServer } from './support/database.js';
import type { LoadRequest } from './support/load.js';
import { SCENARIOS } from './support/scenarios.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';

/** How much to measure. */
export interface GrowthOptions {
  /** Fewer rows and fewer requests. */
  readonly quick: boolean;
}

/** Where requests are sent, and for whom. */
interface Place {
  readonly size: number;
  readonly tenant: Demonstration;
  readonly probe: LatencyProbe;
}

/** What is measured beside others of its kind. */
interface Point {
  readonly probe: LatencyProbe;
  readonly next: () => LoadRequest;
}

/** What each operation on foreign rows may use up, of each kind. */
const CONSUMED_ROWS = 5_000;

/** Not counted: compilers, prepared statements and caches get warm. */
const WARM_UP_REQUESTS = 50;

/** How much slower than at the smallest size each may become. */
const FOREIGN_GOAL = 1.2;
const FIRST_PAGE_GOAL = 1.5;
const LISTS: readonly { name: string; path: (tenant: Demonstration) => string }[] = [
  { name: 'listGuardrails', path: () => '/guardrails' },
  { name: 'listWorkspaceMembers, default', path: () => '/workspaces/default/members' },
  { name: 'listWorkspaceMembers', path: ({ workspace }) => `/workspaces/${workspace.slug}/members` },
  { name: 'listScimGroupMappings', path: () => '/scim/group-mappings' },
  { name: 'listPresetVersions', path: ({ preset_slug }) => `/presets/${preset_slug}/versions` },
];

/** What the operations cost as tables grow: with others' rows, and with the caller's own. @returns two tables */
export async function measureGrowth({ quick }: GrowthOptions): Promise<string> {
  const requests = quick ? 100 : 300;
  const server = await openBenchServer();
  try {
    const foreign = await measureForeign(server, quick ? [1e3, 1e5] : [1e3, 1e4, 1e5, 1e6], requests);
    const own = await measureOwn(server, quick ? [1e2, 1e4] : [1e2, 1e3, 1e4, 1e5], requests);
    return [
      'Rows of other organizations in each table: p50 in ms, and how much slower the most are than the fewest.',
      foreign,
      "Rows of the caller's own in each list: p50 in ms, and how much slower than the first page of the fewest.",
      own,
    ].join('\n\n');
  } finally {
    await server.close();
  }
}

/** Each size is a database of its own, with a service of its own. */
async function measureForeign(server: BenchServer, sizes: readonly number[], requests: number): Promise<string> {
  const databases: BenchDatabase[] = [];
  const services: ServerProcess[] = [];
  const places: Place[] = [];
  try {
    for (const size of sizes) {
      const database = await server.database();
      databases.push(database);
      const tenant = await makeTenant(database);
      for (const scenario of SCENARIOS) await scenario.prepare?.(database, tenant, CONSUMED_ROWS);
      await timed(`${size} rows of others in each table`, async () => {
        await insertForeignRows((text) => database.query(text), size);
        await settle(database);
      });
      const service = await startService(database);
      services.push(service);
      places.push({ size, tenant, probe: new LatencyProbe(service.origin, tenant.management_key) });
    }
    const rows: string[][] = [];
    for (const scenario of SCENARIOS) {
      let number = 0;
      const points = places.map(({ probe, tenant }) => ({ probe, next: () => scenario.request(tenant, number++) }));
      const times = await timesOf(points, requests);
      rows.push(rowOf([scenario.name], times, times[0]!, FOREIGN_GOAL));
    }
    return markdownTable(['operation', ...sizes.map(String), 'ratio', 'goal'], rows);
  } finally {
    for (const { probe } of places) probe.close();
    await Promise.all(services.map((service) => service.stop()));
    for (const database of databases) await database.close();
  }
}

/** Each size is a tenant of its own, all in one database. */
async function measureOwn(server: BenchServer, sizes: readonly number[], requests: number): Promise<string> {
  const database = await server.database();
  let service: ServerProcess | undefined;
  try {
    const tenants: Demonstration[] = [];
    const statements: string[] = [];
    for (const [index, size] of sizes.entries()) {
      const tenant = await makeTenant(database);
      tenants.push(tenant);
      statements.push(...tenantRows(tenant, index, size));
    }
    await timed(`${sizes.join(', ')} rows of one's own in each list`, async () => {
      await insertBulk((text) => database.query(text), statements);
      await settle(database);
    });
    service = await startService(database);
    const { origin } = service;
    const places = sizes.map((size, index) => {
      const tenant = tenants[index]!;
      return { size, tenant, probe: new LatencyProbe(origin, tenant.management_key) };
    });
    const rows: string[][] = [];
    for (const { name, path } of LISTS) {
      const points = places.map(({ probe, tenant }) => ({
        probe,
        next: () => ({ method: 'GET' as const, path: `/api/v1${path(tenant)}` }),
      }));
      const times = await timesOf(points, requests);
      rows.push(rowOf([name], times, times[0]!, FIRST_PAGE_GOAL));
    }
    for (const { probe } of places) probe.close();
    return markdownTable(['operation', ...sizes.map(String), 'ratio', 'goal'], rows);
  } finally {
    await service?.stop();
    await database.close();
  }
}

/** The times at each point. They take turns at every request, so that what else the machine does is done to all. */
async function timesOf(points: readonly Point[], requests: number): Promise<number[][]> {
  const times: number[][] = points.map(() => []);
  for (let turn = -WARM_UP_REQUESTS; turn < requests; turn += 1) {
    for (const [index, { probe, next }] of points.entries()) {
      const time = await probe.time(next());
      if (turn >= 0) times[index]!.push(time);
    }
  }
  return times;
}

/** @param base what the times of the last point are compared to, each with the one of the same turn */
function rowOf(names: readonly string[], times: readonly number[][], base: readonly number[], goal: number): string[] {
  const ratio = median(times.at(-1)!.map((time, turn) => time / base[turn]!));
  const figures = times.map((of) => rounded(median(of), 2));
  const row = [...names, ...figures, rounded(ratio, 2), ratio <= goal ? `<= ${goal}` : `<= ${goal}, MISSED`];
  process.stdout.write(`${row.join('  ')}\n`);
  return row;
}

/** What is left to be written out would be while it is measured. */
async function settle(database: BenchDatabase): Promise<void> {
  await database.query('CHECKPOINT');
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const before = performance.now();
  await work();
  process.stdout.write(`${what}: ${rounded((performance.now() - before) / 1000, 0)} s\n`);
}

function startService(database: BenchDatabase): Promise<ServerProcess> {
  const variables = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
    KEY_DELETION_RATE_LIMIT: '1000000',
  };
  return ServerProcess.start('dist/src/main.js', variables, '/health/ready');
}
