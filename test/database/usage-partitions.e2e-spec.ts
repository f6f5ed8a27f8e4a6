import { GenerationPartitionsService } from '../../src/modules/generations/generation-partitions.service.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { TestApplication } from '../support/application/test-application.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** For how many days totals are kept, and the table that has them. */
const KEPT = [
  { period: 'minute', days: 8 },
  { period: 'hour', days: 93 },
] as const;

const MEASURES = '1, 0, 0, 0, 10, 5, 0, 0, 0.25, 0, 100, 1, 200, 5';

describe('the partitions of totals', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeEach(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
  });

  afterEach(() => app.stop());

  const keep = (): Promise<void> => app.application.get(GenerationPartitionsService).keep();

  const partitions = async (): Promise<string[]> => {
    const rows = await app.rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_totals'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  /** Replaces what there is of a month by a partition that ends at a time. */
  const endPartition = async (name: string, period: string, end: Date): Promise<void> => {
    const present = (await partitions()).filter((partition) => partition.startsWith(`usage_${period}s_`));
    for (const partition of present) await app.rows(`DROP TABLE ${partition}`);
    const start = new Date(end.getTime() - DAY_MS);
    await app.rows(`CREATE TABLE ${name} PARTITION OF usage_totals
      FOR VALUES FROM ('${period}', '${start.toISOString()}') TO ('${period}', '${end.toISOString()}')`);
  };

  const addTotal = (period: string, startsAt: Date): Promise<unknown> =>
    app.rows(
      `INSERT INTO usage_totals VALUES ($1, '${period}', 'workspace', $2, '', '', '', 'acme/writer', 'alpha', 'alpha', ${MEASURES})`,
      [organization.organizationId, startsAt],
    );

  it('are there from the first month that is kept to the third after this one, and made again where they are missing', async () => {
    const now = new Date();
    const expected = KEPT.flatMap(({ period, days }) => {
      const first = new Date(now.getTime() - days * DAY_MS);
      const months = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth() + 4;
      return Array.from({ length: months }, (_, count) => `usage_${period}s_${monthOf(first, count)}`);
    });
    const all = ['usage_days', 'usage_lifetimes', ...expected].sort();
    expect(await partitions()).toEqual(all);

    for (const partition of expected) await app.rows(`DROP TABLE ${partition}`);
    await keep();
    expect(await partitions()).toEqual(all);
  });

  it.each(KEPT)(
    'of each $period are dropped when the last of them is $days days old, and not before',
    async ({ period, days }) => {
      const limit = Date.now() - days * DAY_MS;
      const name = `usage_${period}s_probe`;
      const drop = 'SELECT drop_usage_partitions() AS dropped';
      await endPartition(name, period, new Date(limit + HOUR_MS));
      expect(await app.rows(drop)).toEqual([{ dropped: 0 }]);
      expect(await partitions()).toContain(name);

      await endPartition(name, period, new Date(limit - 1000));
      expect(await app.rows(drop)).toEqual([{ dropped: 1 }]);
      expect(await partitions()).not.toContain(name);
    },
  );

  it('are dropped without the totals of days and of the lifetime, which are answered (200) as before', async () => {
    const old = new Date(Math.floor((Date.now() - 200 * DAY_MS) / DAY_MS) * DAY_MS);
    const month = monthOf(old, 0);
    const [from, to] = [monthStart(old, 0), monthStart(old, 1)].map((time) => time.toISOString());
    for (const { period } of KEPT) {
      await app.rows(`CREATE TABLE usage_${period}s_${month} PARTITION OF usage_totals
        FOR VALUES FROM ('${period}', '${from!}') TO ('${period}', '${to!}')`);
    }
    for (const period of ['minute', 'hour', 'day']) await addTotal(period, old);
    await app.rows(
      `INSERT INTO usage_totals VALUES ($1, 'lifetime', 'organization', '1970-01-01Z', '', '', '', '', '', '', ${MEASURES})`,
      [organization.organizationId],
    );
    await keep();

    expect((await partitions()).filter((partition) => partition.endsWith(month))).toEqual([]);
    const key = organization.managementKey;
    const json = {
      metrics: ['request_count', 'total_usage'],
      granularity: 'day',
      time_range: { start: old.toISOString(), end: new Date(old.getTime() + DAY_MS).toISOString() },
    };
    const days = await app.api.post<{ data: { data: object[] } }>('/analytics/query', { key, json });
    expect(days.status).toBe(200);
    expect(days.body.data.data).toEqual([
      { date__day: old.toISOString().slice(0, 10), request_count: 1, total_usage: 0.25 },
    ]);
    const credits = await app.api.get('/credits', { key });
    expect(credits).toMatchObject({ status: 200, body: { data: { total_usage: 0.25 } } });
  });
});

/** The first moment (UTC) of a month. @param count of months, from that of the time */
function monthStart(time: Date, count: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + count, 1));
}

/** What the name of its partition ends with: `2026_11`. */
function monthOf(time: Date, count: number): string {
  return monthStart(time, count).toISOString().slice(0, 7).replace('-', '_');
}
