import { GenerationPartitionsService } from '../../../../src/modules/generations/generation-partitions.service.js';
import { UsageRollUpService } from '../../../../src/modules/usage/totals/usage-roll-up.service.js';
import { MonthPartitions } from '../../../../src/persistence/month-partitions.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { until } from '../../../support/time/until.js';
import { sharedGateway } from '../shared-gateway.js';

describe('the partitions for what comes now', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const partitions = async (): Promise<string[]> => {
    const rows = await gateway.app.rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent IN ('generations'::regclass, 'usage_totals'::regclass) ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  /** The partitions of a month. @param count of months from the present one */
  const ofMonth = (count: number): string[] => {
    const now = new Date();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1));
    const suffix = month.toISOString().slice(0, 7).replace('-', '_');
    return ['generations', 'usage_hours', 'usage_minutes'].map((kind) => `${kind}_${suffix}`);
  };

  const drop = async (names: readonly string[]): Promise<void> => {
    for (const name of names) await gateway.app.rows(`DROP TABLE IF EXISTS ${name}`);
  };

  const rollUp = (): Promise<void> => gateway.app.application.get(UsageRollUpService).rollUp();

  const readyOf = async (app: TestApplication): Promise<[number, unknown]> => {
    const response = await fetch(`${app.origin}/health/ready`);
    return [response.status, ((await response.json()) as { checks: unknown }).checks];
  };

  it('are made when a request meets that they are missing: 200, recorded, and in the totals', async () => {
    await drop(ofMonth(0));
    const answer = await gateway.ask(key);
    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 200 });
    expect(await partitions()).toEqual(expect.arrayContaining(ofMonth(0).slice(0, 1)));

    await rollUp();
    expect(await partitions()).toEqual(expect.arrayContaining(ofMonth(0)));
    expect(
      await gateway.app.rows(
        `SELECT period, request_count::int AS count FROM usage_totals
         WHERE organization_id = $1 AND scope = 'key' AND period IN ('minute', 'hour') ORDER BY 1`,
        [organization.organizationId],
      ),
    ).toEqual([
      { period: 'hour', count: 1 },
      { period: 'minute', count: 1 },
    ]);
  });

  it('are made once for many requests at once: 200', async () => {
    await drop(ofMonth(0));
    const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.ask(key)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    for (const answer of answers) await gateway.record(answer, key);
  });

  it('are made however long that takes beside the time limit of requests, and while another replica makes them: 200', async () => {
    const app = await gateway.replica({ DATABASE_STATEMENT_TIMEOUT_MS: '100' });
    await drop([...ofMonth(0), ...ofMonth(1)]);
    const making = app.application.get(MonthPartitions);
    const isMade = gateway.app.application.get(MonthPartitions).make({ kind: 'generations', month: firstDay() });
    expect([await making.make({ kind: 'generations', month: firstDay() }), await isMade].sort()).toEqual([false, true]);
    await drop(ofMonth(0));
    // Making one takes longer than a statement of a request may.
    await gateway.app
      .rows(`CREATE FUNCTION slow_ddl() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); END';
      CREATE EVENT TRIGGER slow_ddl ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION slow_ddl()`);
    try {
      await app.application.get(GenerationPartitionsService).start();
    } finally {
      await gateway.app.rows('DROP EVENT TRIGGER slow_ddl; DROP FUNCTION slow_ddl()');
    }
    expect(await partitions()).toEqual(expect.arrayContaining([...ofMonth(0), ...ofMonth(1)]));
    expect(await readyOf(app)).toMatchObject([200, {}]);
    const answer = await gateway.ask(key);
    expect(answer.status).toBe(200);
    await app.stop();
  });

  it('keep none of the others from being made, nor a process ready (503) where they cannot be, until they can (200)', async () => {
    const app = await gateway.replica();
    const [records] = ofMonth(0) as [string];
    await drop([...ofMonth(0), ...ofMonth(2)]);
    // A name that is taken by a table in another place of the same partitions.
    const [, month] = /_(\d{4}_\d\d)$/.exec(records)!;
    await gateway.app.rows(`CREATE TABLE generations_wide PARTITION OF generations
      FOR VALUES FROM ('${month!.replace('_', '-')}-02Z') TO ('${month!.replace('_', '-')}-03Z')`);
    const service = app.application.get(GenerationPartitionsService);
    await service.start();
    expect(await readyOf(app)).toMatchObject([503, { partitions: 'missing' }]);
    expect(await partitions()).toEqual(expect.arrayContaining([...ofMonth(0).slice(1), ...ofMonth(2)]));
    expect(app.logLines.join('')).toContain(`The partition of generations for ${firstDay()} could not be made`);

    await drop(['generations_wide']);
    await service.keep();
    await until(async () => (await readyOf(app))[0] === 200);
    expect(await partitions()).toContain(records);
    await app.stop();
  });

  it('are made for each month that records are of, also of months that are over: 200 for both', async () => {
    await drop(ofMonth(0));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2021, 4, 31, 23, 59, 58));
    const old = await gateway.ask(key);
    clock.mockRestore();
    expect(old.status).toBe(200);
    expect(await partitions()).toContain('generations_2021_05');
    expect((await gateway.ask(key)).status).toBe(200);
  });
});

function firstDay(): string {
  return `${new Date().toISOString().slice(0, 'YYYY-MM'.length)}-01`;
}
