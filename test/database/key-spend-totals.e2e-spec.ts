import pg from 'pg';
import type { Statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { INCREASE_KEY_SPEND, KeySpendRepository } from '../../src/modules/keys/key-spend.repository.js';
import {
  KEY_BY_HASH,
  KEY_BY_ID,
  KEYS_PAGE,
  KEYS_PAGE_OF_DEFAULT,
  KEYS_PAGE_OF_WORKSPACE,
} from '../../src/modules/keys/keys.repository.js';
import type { IssuedCredential } from '../../src/modules/keys/keys.service.js';
import { rowsReadBy } from './explained-statements.js';
import { TestApplication } from '../support/application/test-application.js';

const KEYS = 5;

/** How many connections charge one key at the same time, and how often each does. */
const CONNECTIONS = 8;
const CHARGES = 5;

/** The totals that are not the sums of their days, in the windows of their latest day. */
const DIFFERENT_TOTALS = `
  WITH summed AS (
    SELECT organization_id, key_id,
      sum(amount_usd) AS total_usd, sum(byok_amount_usd) AS byok_total_usd,
      coalesce(sum(amount_usd) FILTER (WHERE day = latest_day), 0) AS daily_usd,
      coalesce(sum(byok_amount_usd) FILTER (WHERE day = latest_day), 0) AS byok_daily_usd,
      coalesce(sum(amount_usd) FILTER (WHERE to_char(day, 'IYYY-IW') = to_char(latest_day, 'IYYY-IW')), 0) AS weekly_usd,
      coalesce(sum(byok_amount_usd) FILTER (WHERE to_char(day, 'IYYY-IW') = to_char(latest_day, 'IYYY-IW')), 0)
        AS byok_weekly_usd,
      coalesce(sum(amount_usd) FILTER (WHERE to_char(day, 'YYYY-MM') = to_char(latest_day, 'YYYY-MM')), 0) AS monthly_usd,
      coalesce(sum(byok_amount_usd) FILTER (WHERE to_char(day, 'YYYY-MM') = to_char(latest_day, 'YYYY-MM')), 0)
        AS byok_monthly_usd
    FROM key_spend JOIN (SELECT organization_id, key_id, latest_day FROM key_spend_totals) AS latest
      USING (organization_id, key_id)
    GROUP BY organization_id, key_id
  )
  SELECT * FROM summed FULL JOIN key_spend_totals AS kept USING (organization_id, key_id)
  WHERE (summed.total_usd, summed.byok_total_usd, summed.daily_usd, summed.byok_daily_usd, summed.weekly_usd,
      summed.byok_weekly_usd, summed.monthly_usd, summed.byok_monthly_usd)
    IS DISTINCT FROM (kept.total_usd, kept.byok_total_usd, kept.daily_usd, kept.byok_daily_usd, kept.weekly_usd,
      kept.byok_weekly_usd, kept.monthly_usd, kept.byok_monthly_usd)`;

describe('the totals of key spend', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let client: pg.Client;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  const charge = (key: IssuedCredential, day: string, amountUsd: string, byokAmountUsd = '0'): Promise<void> => {
    const { organizationId } = organization;
    const charge = { organizationId, keyId: key.id, day, amountUsd, byokAmountUsd };
    const spend = app.application.get(KeySpendRepository);
    return app.application.get(Statements).transaction((tx) => spend.increase(tx, charge));
  };

  const totalsOf = async ({ id }: IssuedCredential): Promise<Record<string, unknown>> => {
    const [row] = await app.rows(
      `SELECT latest_day::text, total_usd, byok_total_usd, daily_usd, weekly_usd, monthly_usd
       FROM key_spend_totals WHERE key_id = $1`,
      [id],
    );
    return row!;
  };

  const expectNoDifference = async (): Promise<void> => {
    expect(await app.rows(DIFFERENT_TOTALS)).toEqual([]);
  };

  it('are read at the same cost after ten years of days as after one, for every query that returns keys', async () => {
    const keys: IssuedCredential[] = [];
    for (let index = 0; index < KEYS; index += 1) keys.push(await app.factory.key(organization));
    const ids = keys.map(({ id }) => id);
    const spendDays = (from: string, until: string): Promise<unknown> =>
      client.query(
        `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
         SELECT $1, key_id, day::date, 0.1, 0.01 FROM unnest($2::uuid[]) AS key_id,
           generate_series($3::date, $4::date, '1 day') AS day`,
        [organization.organizationId, ids, from, until],
      );
    const reads = async (): Promise<Record<string, unknown>> => {
      await client.query('VACUUM ANALYZE api_keys');
      await client.query('VACUUM ANALYZE key_spend');
      await client.query('VACUUM ANALYZE key_spend_totals');
      const { organizationId, workspaceId } = organization;
      const page = [organizationId, true, 100, 0];
      const hash = Buffer.from(keys[0]!.hash, 'hex');
      const asked: [Statement, unknown[]][] = [
        [KEYS_PAGE, page],
        [KEYS_PAGE_OF_DEFAULT, [...page, workspaceId]],
        [KEYS_PAGE_OF_WORKSPACE, [...page, workspaceId]],
        [KEY_BY_HASH, [organizationId, hash]],
        [KEY_BY_ID, [organizationId, ids[0]]],
      ];
      const found: Record<string, unknown> = {};
      for (const [statement, values] of asked) found[statement.name] = await rowsReadBy(client, statement, values);
      return found;
    };

    await spendDays('2015-01-01', '2015-01-01');
    const afterOneDay = await reads();
    // None after today: such days are read, because what was spent on them is not of today.
    for (let year = 2016; year <= 2025; year += 1) await spendDays(`${year}-01-01`, `${year}-12-31`);

    expect(await reads()).toEqual(afterOneDay);
    expect(afterOneDay['keys_page']).toMatchObject({ key_spend_totals: KEYS });
    const days = Object.values(afterOneDay).map((read) => (read as { key_spend?: number }).key_spend ?? 0);
    expect(days).toEqual(days.map(() => 0));
    await expectNoDifference();
  });

  it('add up concurrent charges of one key to the last digit', async () => {
    const key = await app.factory.key(organization);
    const amount = '0.000000000000000001';

    const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: app.database.url }));
    const values = [organization.organizationId, key.id, '2026-03-02', amount, '0.1'];
    await Promise.all(
      clients.map(async (connection) => {
        await connection.connect();
        for (let count = 0; count < CHARGES; count += 1) await connection.query(INCREASE_KEY_SPEND.text, values);
        await connection.end();
      }),
    );

    expect(await totalsOf(key)).toEqual({
      latest_day: '2026-03-02',
      total_usd: '0.000000000000000040',
      byok_total_usd: '4.0',
      daily_usd: '0.000000000000000040',
      weekly_usd: '0.000000000000000040',
      monthly_usd: '0.000000000000000040',
    });
    await expectNoDifference();
  });

  it('start each window at 0, and count a late charge in the windows that include its day', async () => {
    const key = await app.factory.key(organization);
    // A Saturday, the Sunday after it, and the Monday after that, which is in another week and in another month.
    await charge(key, '2026-05-30', '1');
    await charge(key, '2026-05-31', '2');
    expect(await totalsOf(key)).toMatchObject({ daily_usd: '2', weekly_usd: '3', monthly_usd: '3', total_usd: '3' });

    await charge(key, '2026-06-01', '4');
    expect(await totalsOf(key)).toMatchObject({ daily_usd: '4', weekly_usd: '4', monthly_usd: '4', total_usd: '7' });
    await charge(key, '2026-05-31', '8');
    expect(await totalsOf(key)).toMatchObject({ daily_usd: '4', weekly_usd: '4', monthly_usd: '4', total_usd: '15' });
    await charge(key, '2026-06-03', '16');
    await charge(key, '2026-06-02', '32');
    expect(await totalsOf(key)).toMatchObject({
      daily_usd: '16',
      weekly_usd: '52',
      monthly_usd: '52',
      total_usd: '63',
    });
    await charge(key, '2026-06-08', '64');
    expect(await totalsOf(key)).toMatchObject({ daily_usd: '64', weekly_usd: '64', monthly_usd: '116' });
    await expectNoDifference();
  });

  it('follow changed and deleted days', async () => {
    const key = await app.factory.key(organization);
    for (const [day, amount] of [
      ['2026-02-27', '1'],
      ['2026-03-30', '2'],
      ['2026-03-31', '4'],
      ['2026-04-01', '8'],
      ['2026-04-02', '16'],
    ] as const) {
      await charge(key, day, amount, amount);
    }

    await app.rows(`UPDATE key_spend SET amount_usd = 10 WHERE key_id = $1 AND day = '2026-04-01'`, [key.id]);
    await expectNoDifference();
    await app.rows(`DELETE FROM key_spend WHERE key_id = $1 AND day IN ('2026-03-31', '2026-04-02')`, [key.id]);
    await expectNoDifference();
    expect(await totalsOf(key)).toMatchObject({ daily_usd: '0', weekly_usd: '12', monthly_usd: '10', total_usd: '13' });
    const moved = app.rows(`UPDATE key_spend SET day = '2026-04-09' WHERE key_id = $1 AND amount_usd = 10`, [key.id]);
    await expect(moved).rejects.toThrow('a row of key_spend keeps its key and its day');
  });

  it('change only with their days, and are deleted with their key', async () => {
    const key = await app.factory.key(organization);
    await charge(key, '2026-04-01', '8');

    for (const change of [
      'UPDATE key_spend_totals SET total_usd = 0',
      'DELETE FROM key_spend_totals',
      `INSERT INTO key_spend_totals SELECT * FROM key_spend_totals LIMIT 1`,
    ]) {
      await expect(app.rows(change)).rejects.toThrow('key_spend_totals follows key_spend');
    }
    const deletion = await app.api.delete(`/keys/${key.hash}`, { key: organization.managementKey });
    expect(deletion.status).toBe(200);
    expect(await app.rows('SELECT 1 FROM key_spend_totals WHERE key_id = $1', [key.id])).toEqual([]);
  });
});
