import { LatencyProbe } from './growth/latency.js';
import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import { type BenchDatabase, openBenchServer } from './support/database.js';
import type { LoadRequest } from './support/load.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';
import { measureRecordWrites } from './usage/record-writes.js';

/** How much to measure. */
export interface UsageOptions {
  /** Of each operation and size, and how many batches of records of each size. */
  readonly requests: number;
}

/** How many records the totals are of. */
const RECORDS = [1e3, 1e6, 1e8];

/** Among what records are spread, for 90 days. */
const SPREAD = { keys: 100, models: 10, days: 90, hours: 7 * 24 };

const WARM_UP_REQUESTS = 10;

const DAY_MS = 86_400_000;

const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

const LAST_90_DAYS = {
  start: new Date(Date.now() - SPREAD.days * DAY_MS).toISOString(),
  end: new Date().toISOString(),
};

/** What is asked. */
const QUESTIONS: Readonly<Record<string, LoadRequest>> = {
  getCredits: { method: 'GET', path: '/api/v1/credits' },
  getUserActivity: { method: 'GET', path: '/api/v1/activity' },
  'getUserActivity, one day by workspace': {
    method: 'GET',
    path: `/api/v1/activity?date=${YESTERDAY}&group_by=workspace`,
  },
  'queryAnalytics, 7 days': asking({ metrics: ['request_count', 'total_usage'] }),
  'queryAnalytics, 90 days by day and model': asking({
    metrics: ['request_count', 'total_usage'],
    dimensions: ['model'],
    granularity: 'day',
    time_range: LAST_90_DAYS,
  }),
  'queryAnalytics, 7 days by key': asking({ metrics: ['total_usage'], dimensions: ['api_key_id'] }),
};

function asking(body: object): LoadRequest {
  return { method: 'POST', path: '/api/v1/analytics/query', body };
}

/**
 * What reads of usage cost with totals of few and of very many records. The records themselves are not made, because none is read.
 *
 * @returns a table
 */
export async function measureUsage({ requests }: UsageOptions): Promise<string> {
  const server = await openBenchServer();
  const places: Place[] = [];
  try {
    const written = await server.database();
    const writes = await measureRecordWrites(written, requests * 2).finally(() => written.close());
    for (const records of RECORDS) places.push(await openPlace(await server.database(), records));
    const rows: string[][] = [];
    for (const [name, question] of Object.entries(QUESTIONS))
      rows.push([name, ...(await timesOf(places, question, requests))]);
    return [
      'Reads of usage, p50 in ms, by the number of records in 90 days.',
      markdownTable(
        ['operation', ...RECORDS.map(String)],
        [...rows, ['totals', ...places.map(({ totals }) => String(totals))]],
      ),
      writes,
    ].join('\n\n');
  } finally {
    for (const { close } of places) await close();
    await server.close();
  }
}

/** A service with totals of so many records. */
interface Place {
  readonly probe: LatencyProbe;
  readonly totals: number;
  close(): Promise<void>;
}

async function openPlace(database: BenchDatabase, records: number): Promise<Place> {
  const { organization_id: organizationId, management_key: key } = await makeTenant(database);
  const totals = await fillTotals(database, organizationId, records);
  const variables = { DATABASE_URL: database.url, ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64') };
  const service = await ServerProcess.start('dist/src/main.js', variables, '/health/ready');
  const probe = new LatencyProbe(service.origin, key);
  return {
    probe,
    totals,
    async close() {
      probe.close();
      await service.stop();
      await database.close();
    },
  };
}

/** The medians of a question in each place, asked in turn, so that what else the machine does affects all of them. */
async function timesOf(places: readonly Place[], question: LoadRequest, requests: number): Promise<string[]> {
  const times = places.map((): number[] => []);
  for (let turn = -WARM_UP_REQUESTS; turn < requests; turn += 1) {
    for (const [index, { probe }] of places.entries()) {
      const time = await probe.time(question);
      if (turn >= 0) times[index]!.push(time);
    }
  }
  return times.map((each) => rounded(median(each), 2));
}

/** As many totals as so many records have, evenly spread. @returns their number */
async function fillTotals(database: BenchDatabase, organizationId: string, records: number): Promise<number> {
  const { keys, models, days, hours } = SPREAD;
  const combinations = keys * models;
  const perDay = Math.max(1, Math.min(combinations, Math.round(records / days)));
  const perHour = Math.max(1, Math.min(combinations, Math.round(records / days / 24)));
  const measures = (count: number): string =>
    `${count}, 0, 0, 0, ${count * 100}, ${count * 20}, 0, 0, ${count} * 0.001, 0, ${count * 100}, ${count}, ${count * 900}, ${count * 20}`;
  const insert = async (period: string, steps: number, groups: number): Promise<void> => {
    const count = Math.max(1, Math.round(records / days / (period === 'day' ? 1 : 24) / groups));
    const key = `lpad(to_hex(n % ${keys}), 8, '0') || '-0000-7000-8000-000000000000', 'user_bench'`;
    const scopes = {
      key: { number: groups, names: `${key}, 'acme/model-' || n / ${keys}, 'acme', 'acme'` },
      spender: { number: Math.min(groups, keys), names: `${key}, '', '', ''` },
      workspace: { number: Math.min(groups, models), names: `'', '', 'acme/model-' || n, 'acme', 'acme'` },
    };
    for (const [scope, { number, names }] of Object.entries(scopes)) {
      await database.query(
        `INSERT INTO usage_totals SELECT $1, '${period}', '${scope}', date_trunc('${period}', now(), 'UTC') - step * interval '1 ${period}',
           '', ${names}, ${measures(count)}
         FROM generate_series(0, ${steps} - 1) AS step, generate_series(0, ${number} - 1) AS n ON CONFLICT DO NOTHING`,
        [organizationId],
      );
    }
  };
  await insert('day', days, perDay);
  await insert('hour', hours, perHour);
  await database.query('VACUUM ANALYZE usage_totals');
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM usage_totals');
  return row!.count;
}
