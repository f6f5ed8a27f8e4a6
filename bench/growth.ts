import type { Demonstration } from '../src/cli/demo/demonstration.js';
import { insertBulk } from './growth/bulk.js';
import { insertForeignRows } from './growth/foreign-rows.js';
import { LatencyProbe } from './growth/latency.js';
import { ownRows } from './growth/own-rows.js';
import { LIMIT_ENCRYPTION_KEY } from './limit/constants.js';
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

/** What is measured at one size, and where. */
interface Place {
  readonly size: number;
  readonly tenant: Demonstration;
  readonly probe: LatencyProbe;
}

/** How many requests one visit to a size sends, and how many visits there are. The sizes take turns. */
interface Effort {
  readonly requests: number;
  readonly visits: number;
}

const PAGE_SIZE = 50;

/** What each operation on foreign rows may use up, of each kind. */
const CONSUMED_ROWS = 5_000;

/** Not counted: compilers, prepared statements and caches get warm. */
const WARM_UP_REQUESTS = 50;

/** How much slower than at the smallest size each may become. */
const FOREIGN_GOAL = 1.2;
const FIRST_PAGE_GOAL = 1.5;
const DEEP_PAGE_GOAL = 5;

const LISTS: readonly { name: string; path: (tenant: Demonstration) => string }[] = [
  { name: 'listGuardrails', path: () => '/guardrails' },
  { name: 'listWorkspaceMembers, default', path: () => '/workspaces/default/members' },
  { name: 'listWorkspaceMembers', path: ({ workspace }) => `/workspaces/${workspace.slug}/members` },
  { name: 'listScimGroupMappings', path: () => '/scim/group-mappings' },
  { name: 'listPresetVersions', path: ({ preset_slug }) => `/presets/${preset_slug}/versions` },
];

/** What the operations cost as tables grow: with others' rows, and with the caller's own. @returns two tables */
export async function measureGrowth({ quick }: GrowthOptions): Promise<string> {
  const effort = quick ? { requests: 40, visits: 4 } : { requests: 50, visits: 8 };
  const server = await openBenchServer();
  try {
    const foreign = await measureForeign(server, quick ? [1e3, 1e5] : [1e3, 1e4, 1e5, 1e6], effort);
    const own = await measureOwn(server, quick ? [1e2, 1e4] : [1e2, 1e3, 1e4, 1e5], effort);
    return `Rows of other organizations, p50 ms\n\n${foreign}\n\nRows of the caller's own, p50 ms\n\n${own}`;
  } finally {
    await server.close();
  }
}

/** Each size is a database of its own, with a service of its own. */
async function measureForeign(server: BenchServer, sizes: readonly number[], effort: Effort): Promise<string> {
  const databases: BenchDatabase[] = [];
  const services: ServerProcess[] = [];
  const places: Place[] = [];
  try {
    for (const size of sizes) {
      const database = await server.database();
      databases.push(database);
      const tenant = await makeTenant(database);
      for (const scenario of SCENARIOS) await scenario.prepare?.(database, tenant, CONSUMED_ROWS);
      await timed(`${size} rows of others in each table`, () => insertForeignRows(database, size));
      const service = await startService(database);
      services.push(service);
      places.push({ size, tenant, probe: new LatencyProbe(service.origin, tenant.management_key) });
    }
    const rows: string[][] = [];
    for (const scenario of SCENARIOS) {
      let number = 0;
      const medians = await mediansOf(places, (tenant) => scenario.request(tenant, number++), effort);
      rows.push(rowOf([scenario.name], medians, medians[0]!, FOREIGN_GOAL));
    }
    return markdownTable(['operation', ...sizes.map(String), 'ratio', 'goal'], rows);
  } finally {
    for (const { probe } of places) probe.close();
    await Promise.all(services.map((service) => service.stop()));
    for (const database of databases) await database.close();
  }
}

/** Each size is a tenant of its own, all in one database. */
async function measureOwn(server: BenchServer, sizes: readonly number[], effort: Effort): Promise<string> {
  const database = await server.database();
  let service: ServerProcess | undefined;
  try {
    const tenants: Demonstration[] = [];
    const statements: string[] = [];
    for (const [index, size] of sizes.entries()) {
      const tenant = await makeTenant(database);
      tenants.push(tenant);
      statements.push(...ownRows(tenant, index, size));
    }
    await timed(`${sizes.join(', ')} rows of one's own in each list`, () => insertBulk(database, statements));
    service = await startService(database);
    const { origin } = service;
    const places = sizes.map((size, index) => {
      const tenant = tenants[index]!;
      return { size, tenant, probe: new LatencyProbe(origin, tenant.management_key) };
    });
    const rows: string[][] = [];
    for (const { name, path } of LISTS) {
      const page = (of: (size: number) => number): Promise<number[]> =>
        mediansOf(
          places,
          (tenant, size) => ({ method: 'GET', path: `/api/v1${path(tenant)}?offset=${of(size)}` }),
          effort,
        );
      const first = await page(() => 0);
      rows.push(rowOf([name, 'first'], first, first[0]!, FIRST_PAGE_GOAL));
      rows.push(rowOf([name, 'middle'], await page((size) => size / 2), first[0]!, DEEP_PAGE_GOAL));
      rows.push(rowOf([name, 'last'], await page((size) => size - PAGE_SIZE), first[0]!, DEEP_PAGE_GOAL));
    }
    for (const { probe } of places) probe.close();
    return markdownTable(['operation', 'page', ...sizes.map(String), 'ratio', 'goal'], rows);
  } finally {
    await service?.stop();
    await database.close();
  }
}

/** The median time at each place. The places take turns, so that what else the machine does is done to all of them. */
async function mediansOf(
  places: readonly Place[],
  request: (tenant: Demonstration, size: number) => LoadRequest,
  { requests, visits }: Effort,
): Promise<number[]> {
  const times: number[][] = places.map(() => []);
  for (let visit = 0; visit <= visits; visit += 1) {
    const order = [...places.keys()];
    for (const index of visit % 2 === 0 ? order : order.reverse()) {
      const { tenant, size, probe } = places[index]!;
      const next = (): LoadRequest => request(tenant, size);
      if (visit === 0) await probe.sample(next, WARM_UP_REQUESTS);
      else times[index]!.push(...(await probe.sample(next, requests)));
    }
  }
  return times.map(median);
}

/** @param base what the ratio of the largest size is to */
function rowOf(names: readonly string[], medians: readonly number[], base: number, goal: number): string[] {
  const ratio = medians.at(-1)! / base;
  const figures = medians.map((figure) => rounded(figure, 2));
  const row = [...names, ...figures, rounded(ratio, 2), ratio <= goal ? `<= ${goal}` : `<= ${goal}, MISSED`];
  process.stdout.write(`${row.join('  ')}\n`);
  return row;
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const before = performance.now();
  await work();
  process.stdout.write(`${what}: ${rounded((performance.now() - before) / 1000, 0)} s\n`);
}

function startService(database: BenchDatabase): Promise<ServerProcess> {
  const variables = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: LIMIT_ENCRYPTION_KEY.toString('base64'),
    KEY_DELETION_RATE_LIMIT: '1000000',
  };
  return ServerProcess.start('dist/src/main.js', variables, '/health/ready');
}
