import pg from 'pg';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { GenerationPartitionsService } from '../../src/modules/generations/generation-partitions.service.js';
import { GENERATION_BY_ID } from '../../src/modules/generations/generations.repository.js';
import { GenerationsService } from '../../src/modules/generations/generations.service.js';
import { TestApplication } from '../support/application/test-application.js';
import { generationSample } from '../support/resources/generation-sample.js';
import { keepRecordsOf } from '../e2e/inference/spend/charged-generation.js';
import { tableReadsOf } from './explained-statements.js';

/** The months of the partitions that there are, as `2026_11`. */
const MONTHS = `SELECT right(inhrelid::regclass::text, 7) AS month FROM pg_inherits
  WHERE inhparent = 'generations'::regclass ORDER BY 1`;

describe('the partitions of generations', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let service: GenerationPartitionsService;

  beforeEach(async () => {
    app = await TestApplication.start({ variables: { GENERATION_RETENTION_DAYS: '30' } });
    organization = await app.factory.organization();
    service = app.application.get(GenerationPartitionsService);
  });

  afterEach(() => app.stop());

  const months = async (): Promise<string[]> => (await app.rows<{ month: string }>(MONTHS)).map(({ month }) => month);

  const idAt = (time: Date, suffix = '00000000000000000000'): string =>
    `gen-${Math.floor(time.getTime() / 1000)}-${suffix}`;

  /** Makes the partitions of a month, given by its first day. */
  const makePartition = (first: Date): Promise<void> => keepRecordsOf(app, first.toISOString().slice(0, 7));

  it('are there for this month and the next three, and are made again where they are missing, by one of two replicas', async () => {
    const now = new Date();
    const expected = [0, 1, 2, 3].map((count) => nameOf(monthsFrom(now, count)));
    expect(await months()).toEqual(expect.arrayContaining(expected));
    const replica = await TestApplication.start({ database: app.database });

    for (const month of expected.slice(1)) await app.rows(`DROP TABLE generations_${month}`);
    await Promise.all([service.keep(), replica.application.get(GenerationPartitionsService).keep()]);
    await replica.stop();

    expect(await months()).toEqual(expect.arrayContaining(expected));
    const lines = [...app.logLines, ...replica.logLines].filter((line) => line.includes('"generation partitions"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ made: 3, dropped: 0 }]);
  });

  it('are dropped with their rows when every one of them is too old, and not before', async () => {
    const [old, kept] = [monthsFrom(new Date(), -3), monthsFrom(new Date(Date.now() - 30 * 86_400_000), 0)];
    await makePartition(old);
    if (!(await months()).includes(nameOf(kept))) await makePartition(kept);
    const ids = [old, kept].map((month) => idAt(month));
    for (const id of ids) await app.application.get(GenerationsService).record(generationSample(organization, id));

    await service.keep();

    expect(await app.rows('SELECT id FROM generations')).toEqual([{ id: ids[1] }]);
    expect(await months()).not.toContain(nameOf(old));
    expect(await months()).toContain(nameOf(kept));
  });

  it('stay while another session reads one, which the log tells, and go the next time', async () => {
    const old = monthsFrom(new Date(), -3);
    await makePartition(old);
    const reader = new pg.Client({ connectionString: app.database.url });
    await reader.connect();
    await reader.query(`BEGIN; LOCK TABLE generations_${nameOf(old)} IN ACCESS SHARE MODE`);

    await service.start();
    expect(await months()).toContain(nameOf(old));
    expect(app.logLines.filter((line) => line.includes('could not be made or dropped'))).toHaveLength(1);

    await reader.end();
    await service.keep();
    expect(await months()).not.toContain(nameOf(old));
  });

  it('hold an id once, whatever is recorded under it at the same time', async () => {
    const key = await app.factory.key(organization);
    const charged = generationSample(organization, idAt(new Date()), { keyId: key.id, costUsd: '0.5' });
    const generations = app.application.get(GenerationsService);
    await Promise.all(Array.from({ length: 8 }, () => generations.record(charged)));

    expect(await app.rows('SELECT count(*)::int AS count FROM generations')).toEqual([{ count: 1 }]);
    expect(await app.rows('SELECT amount_usd FROM key_spend WHERE key_id = $1', [key.id])).toEqual([
      { amount_usd: '0.5' },
    ]);
    // Another time would be another key of the table.
    const another = { ...charged, createdAt: new Date(charged.createdAt.getTime() + 1000) };
    await expect(generations.record(another)).rejects.toMatchObject({ constraint: 'ck_generations_created' });
  });

  it('are read one at a time, by the index, when a record is looked up', async () => {
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    await client.query('SET enable_seqscan = off');
    const reads = await tableReadsOf(client, GENERATION_BY_ID);
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (FORMAT JSON) EXECUTE generation_by_id('', '', now())`,
    );
    await client.end();

    expect(reads.filter(({ table }) => table === 'generations')).toEqual([
      { table: 'generations', index: 'generations_pkey', isNarrow: true },
    ]);
    const [, removed] = /"Subplans Removed":(\d+)/.exec(JSON.stringify(rows[0]!['QUERY PLAN'])) ?? [];
    expect(Number(removed)).toBe((await months()).length - 1);
  });

  it('cannot be changed by a role that is not the service, nor dropped before a day has passed', async () => {
    const [{ acl }] = (await app.rows<{ acl: string[] }>(
      `SELECT array_agg(proacl::text) AS acl FROM pg_proc WHERE proname LIKE '%_generation_partitions'`,
    )) as [{ acl: string[] }];
    // `=X` is everybody.
    expect(acl.filter((privileges) => /[{,]=/.test(privileges))).toEqual([]);
    await expect(app.rows('SELECT drop_generation_partitions(0)')).rejects.toThrow('kept for a day at least');
  });
});

/** What the name of the partition for a month ends with: `2026_11`. */
function nameOf(month: Date): string {
  return month.toISOString().slice(0, 7).replace('-', '_');
}

/** The first moment (UTC) of a month. @param count of months, from that of the time */
function monthsFrom(time: Date, count: number): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + count, 1));
}
