import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { CHAT } from '../inference/test-gateway.js';
import { chargedGeneration } from '../inference/spend/charged-generation.js';
import { dayBefore, keepRecordsBefore, recordUsed, rollUpUsage } from './used-generations.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const SUMS = `sum(request_count)::int AS requests, sum(refused_count)::int AS refused, sum(byok_request_count)::int AS byok,
  sum(prompt_tokens)::int AS prompt, sum(completion_tokens)::int AS completion, sum(usage_usd)::text AS usage,
  sum(byok_usage_usd)::text AS byok_usage`;

describe('the totals of usage', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(() => keepRecordsBefore(gateway.app, 1));

  /** The sums of each kind of totals. */
  const sums = (): Promise<Record<string, unknown>[]> =>
    gateway.app.rows(
      `SELECT period, scope, ${SUMS} FROM usage_totals WHERE organization_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
      [organization.organizationId],
    );

  /** What the records themselves sum up to, under the same names. */
  const recorded = async (): Promise<Record<string, unknown>> => {
    const [row] = await gateway.app.rows(
      `SELECT count(*) FILTER (WHERE status = 200)::int AS requests, count(*) FILTER (WHERE status <> 200)::int AS refused,
         count(*) FILTER (WHERE status = 200 AND is_byok)::int AS byok, coalesce(sum(prompt_tokens), 0)::int AS prompt,
         coalesce(sum(completion_tokens), 0)::int AS completion,
         coalesce(sum(cost_usd) FILTER (WHERE NOT is_byok), 0)::text AS usage,
         coalesce(sum(cost_usd) FILTER (WHERE is_byok), 0)::text AS byok_usage
       FROM generations WHERE organization_id = $1`,
      [organization.organizationId],
    );
    return row!;
  };

  /** Each kind of totals has the sums of the records. */
  const expectSums = async (): Promise<void> => {
    await rollUpUsage(gateway.app);
    const expected = await recorded();
    const kinds = [
      { period: 'day', scope: 'key' },
      { period: 'day', scope: 'spender' },
      { period: 'day', scope: 'workspace' },
      { period: 'hour', scope: 'key' },
      { period: 'hour', scope: 'spender' },
      { period: 'hour', scope: 'workspace' },
      { period: 'lifetime', scope: 'organization' },
      { period: 'minute', scope: 'key' },
    ];
    const found = await sums();
    expect(found.map(withoutZeros)).toEqual(kinds.map((kind) => withoutZeros({ ...kind, ...expected })));
  };

  it('are the sums of the records of answers (200) and refusals (400), whole, streamed and embedded, to the last digit', async () => {
    const further = await gateway.app.factory.key(organization);
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, () => gateway.ask(key)),
      ...Array.from({ length: 5 }, () => gateway.ask(further, { model: 'gatehouse/echo' })),
      gateway.stream(key),
      gateway.embed(key, { model: 'gatehouse/echo-embedding' }),
      gateway.ask(key, { model: 'acme/no-such-model' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 400]);

    expect(await recorded()).toMatchObject({ requests: 19, refused: 1 });
    // The second time there is nothing left to add.
    await expectSums();
    await expectSums();
    const models = await gateway.app.rows<{ model: string; requests: number }>(
      `SELECT model, sum(request_count)::int AS requests FROM usage_totals
       WHERE organization_id = $1 AND period = 'day' AND scope = 'workspace' GROUP BY 1 ORDER BY 1`,
      [organization.organizationId],
    );
    // A model that there is not has no row of its own.
    expect(models).toEqual([
      { model: '', requests: 0 },
      { model: 'acme/writer', requests: 13 },
      { model: 'gatehouse/echo', requests: 5 },
      { model: 'gatehouse/echo-embedding', requests: 1 },
    ]);
  });

  it('tell own provider keys (200) from those of the gateway', async () => {
    const json = { provider: 'beta', key: 'sk-own' };
    expect((await gateway.app.api.post('/byok', { key: organization.managementKey, json })).status).toBe(201);
    expect((await gateway.ask(key)).status).toBe(200);

    expect(await recorded()).toMatchObject({ requests: 1, byok: 1, byok_usage: '0.00005' });
    await expectSums();
  });

  it('have one row for each time, whatever is recorded at once by two replicas, and an id counts once', async () => {
    const replica = await gateway.replica();
    const services = [gateway.app, replica].map((app) => app.application.get(GenerationsService));
    const keys = [key, ...(await Promise.all(Array.from({ length: 4 }, () => gateway.app.factory.key(organization))))];
    const records = Array.from({ length: 200 }, (_, index) =>
      chargedGeneration(organization, keys[index % keys.length]!, {
        createdAt: index % 3 === 0 ? dayBefore(1) : new Date(),
        model: `acme/model-${index % 7}`,
        provider: 'alpha',
        costUsd: '0.000000000000000001',
        promptTokens: Number.MAX_SAFE_INTEGER,
      }),
    );
    try {
      // Each twice, half of them with each replica, while both add them up.
      await Promise.all([
        ...[...records, ...records.toReversed()].map((record, index) => services[index % 2]!.record(record)),
        ...Array.from({ length: 10 }, (_, index) => rollUpUsage(index % 2 === 0 ? gateway.app : replica)),
      ]);
      await rollUpUsage(gateway.app);
    } finally {
      await replica.stop();
    }

    const [lifetime] = await gateway.app.rows(
      `SELECT request_count::text AS requests, usage_usd::text AS usage, prompt_tokens::text AS tokens FROM usage_totals
       WHERE organization_id = $1 AND period = 'lifetime'`,
      [organization.organizationId],
    );
    // More tokens than a bigint has room for do not end the recording.
    expect(lifetime).toEqual({
      requests: '200',
      usage: '0.000000000000000200',
      tokens: String(BigInt(Number.MAX_SAFE_INTEGER) * 200n),
    });
  });

  it('belong to the day, hour and minute (UTC) in which the request came', async () => {
    const [midnight, before] = [dayBefore(0), dayBefore(0, -1000)];
    await recordUsed(gateway.app, organization, key, [{ createdAt: midnight }, { createdAt: before }]);
    await rollUpUsage(gateway.app);

    const rows = await gateway.app.rows<{ period: string; starts_at: Date; requests: number }>(
      `SELECT period, starts_at, request_count::int AS requests FROM usage_totals
       WHERE organization_id = $1 AND scope = 'key' ORDER BY 1, 2`,
      [organization.organizationId],
    );
    expect(rows.map(({ period, starts_at, requests }) => [period, starts_at.getTime(), requests])).toEqual([
      ['day', dayBefore(1).getTime(), 1],
      ['day', midnight.getTime(), 1],
      ['hour', midnight.getTime() - 3_600_000, 1],
      ['hour', midnight.getTime(), 1],
      ['minute', midnight.getTime() - 60_000, 1],
      ['minute', midnight.getTime(), 1],
    ]);
  });

  it('do not grow with the names of models that callers invent (400)', async () => {
    for (const name of ['acme/one', 'acme/two', 'acme/three']) {
      const json = { model: name, messages: [{ role: 'user', content: 'Hello' }] };
      expect((await gateway.app.api.post(CHAT, { key: key.plaintext, json })).status).toBe(400);
    }
    await rollUpUsage(gateway.app);
    const [row] = await gateway.app.rows(
      `SELECT count(*)::int AS rows, sum(refused_count)::int AS refused FROM usage_totals
       WHERE organization_id = $1 AND period = 'day' AND scope = 'key'`,
      [organization.organizationId],
    );
    expect(row).toEqual({ rows: 1, refused: 3 });
  });

  it('are kept when the key is deleted (200)', async () => {
    expect((await gateway.ask(key)).status).toBe(200);
    await rollUpUsage(gateway.app);
    const before = await sums();
    expect(before).toHaveLength(8);
    const path = `/keys/${key.hash}`;
    expect((await gateway.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
    expect(await sums()).toEqual(before);
  });

  it('have only the day of a request that is recorded when its minutes and hours are kept no longer', async () => {
    await keepRecordsBefore(gateway.app, 200);
    await recordUsed(gateway.app, organization, key, [{ createdAt: dayBefore(200, 60_000) }]);
    const found = await sums();
    expect(found.map(({ period, scope, requests }) => [period, scope, requests])).toEqual([
      ['day', 'key', 1],
      ['day', 'spender', 1],
      ['day', 'workspace', 1],
      ['lifetime', 'organization', 1],
    ]);
  });

  it('wait for what cannot be added, which keeps no other organization waiting, and is added once it can be', async () => {
    const other = await gateway.app.factory.organization();
    const otherKey = await gateway.app.factory.key(other);
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    const generations = gateway.app.application.get(GenerationsService);
    await gateway.app.rows(
      `ALTER TABLE usage_hours_${month} ADD CONSTRAINT refused CHECK (organization_id <> '${organization.organizationId}')`,
    );
    await generations.record(chargedGeneration(organization, key, { provider: 'alpha' }));
    await generations.record(chargedGeneration(other, otherKey, { provider: 'alpha' }));

    await expect(rollUpUsage(gateway.app)).rejects.toThrow('violates check constraint "refused"');
    expect(await sums()).toEqual([]);
    expect(await gateway.app.rows('SELECT organization_id AS id FROM usage_additions')).toEqual([
      { id: organization.organizationId },
    ]);

    await gateway.app.rows(`ALTER TABLE usage_hours_${month} DROP CONSTRAINT refused`);
    await expectSums();
  });
});

/** Amounts without zeros at the end, so that those of different scales can be compared. */
function withoutZeros(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('usage') ? String(value).replace(/(?:\.0+|(\.\d*?)0+)$/, '$1') : value,
    ]),
  );
}
