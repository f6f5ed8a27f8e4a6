import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { chargedGeneration } from '../inference/spend/charged-generation.js';
import { dayBefore, keepRecordsBefore, rollUpUsage } from './used-generations.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const WEEK = { start: dayBefore(6, 5 * 3_600_000).toISOString(), end: dayBefore(0, 3_600_000).toISOString() };

/** Of every kind of totals: hours and days together, minutes, of keys with and without models, and of workspaces. */
const QUERIES: readonly object[] = [
  { metrics: ['request_count', 'total_usage'] },
  { metrics: ['request_count'], time_range: WEEK },
  { metrics: ['request_count', 'total_usage'], dimensions: ['api_key_id'], time_range: WEEK },
  { metrics: ['request_count'], dimensions: ['user', 'workspace'] },
  { metrics: ['request_count'], dimensions: ['api_key_id', 'model'] },
  { metrics: ['request_count'], granularity: 'minute' },
  { metrics: ['request_count'], granularity: 'hour' },
  { metrics: ['request_count'], granularity: 'day' },
];

describe('what was used', () => {
  const gateway = sharedGateway();
  const organization = sharedOrganization(gateway);
  let keys: IssuedCredential[];

  beforeAll(async () => {
    for (const days of [0, 1, 5, 6, 7]) await keepRecordsBefore(gateway.app, days);
    keys = [await gateway.app.factory.key(organization), await gateway.app.factory.key(organization)];
  });

  /** What every read of usage answers (200), without the time that it took. */
  const answers = async (): Promise<unknown[]> => {
    const { managementKey: key } = organization;
    const bodies: unknown[] = [];
    for (const path of ['/credits', '/activity', '/activity?group_by=workspace']) {
      const { status, body } = await gateway.app.api.get(path, { key });
      expect(status).toBe(200);
      bodies.push(body);
    }
    const table = await gateway.app.api.get('/activity', { key, headers: { accept: 'text/csv' } });
    bodies.push(table.text);
    for (const json of QUERIES) {
      const { status, body } = await gateway.app.api.post<{ data: { data: object[] } }>('/analytics/query', {
        key,
        json,
      });
      expect(status).toBe(200);
      bodies.push(body.data.data);
    }
    return bodies;
  };

  it('is answered (200) alike before it is added to the totals, when a part of it is, and after it', async () => {
    const generations = gateway.app.application.get(GenerationsService);
    const now = Date.now();
    const times = [
      ...[0, 30, 3_700, 90_000].map((seconds) => new Date(now - seconds * 1000)),
      // The seconds around the beginning of the week, of its first whole day, and of its end.
      ...[5 * 3_600_000 - 1000, 5 * 3_600_000, 86_400_000 - 1000, 86_400_000].map((later) => dayBefore(6, later)),
      ...[0, 3_600_000 - 1000, 3_600_000].map((later) => dayBefore(0, later)),
      dayBefore(1),
    ].filter((time) => time.getTime() <= now);
    const records = times.flatMap((createdAt) =>
      keys.map((key, index) =>
        chargedGeneration(organization, key, {
          createdAt,
          model: `acme/model-${index}`,
          provider: 'alpha',
          costUsd: '0.25',
        }),
      ),
    );
    const half = Math.floor(records.length / 2);
    for (const record of records.slice(0, half)) await generations.record(record);
    await rollUpUsage(gateway.app);
    for (const record of records.slice(half)) await generations.record(record);

    const partly = await answers();
    await rollUpUsage(gateway.app);
    expect(await gateway.app.rows('SELECT FROM usage_additions')).toEqual([]);
    expect(await answers()).toEqual(partly);
    // As nothing else is in them: the other way round, nothing is in the totals.
    await gateway.app.rows(`DELETE FROM usage_totals; DELETE FROM generations`);
    for (const record of records) await generations.record(record);
    expect(await answers()).toEqual(partly);

    const inWeek = times.filter(
      (time) => time.getTime() >= Date.parse(WEEK.start) && time.getTime() < Date.parse(WEEK.end),
    );
    expect(partly[5]).toEqual([{ request_count: inWeek.length * 2 }]);
    expect(partly[0]).toMatchObject({ data: { total_usage: records.length * 0.25 } });
  });
});
