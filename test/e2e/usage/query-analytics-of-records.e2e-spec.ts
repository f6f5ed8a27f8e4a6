import { analyticsQueries, HOUR_MS, type Row } from './analytics-queries.js';
import { dayBefore, FAILED, REFUSED } from './used-generations.js';

describe('queryAnalytics', () => {
  const { gateway, organization, used, rows: rowsOf } = analyticsQueries();

  const MONTH = { start: dayBefore(29).toISOString(), end: dayBefore(-1).toISOString() };

  const rows = (json: object): Promise<Row[]> => rowsOf({ time_range: MONTH, ...json });

  const refusedFor = (refusal: string) => ({ ...REFUSED, details: { refusal } });

  it('answers 200 with the median and the 95th percentile of answers, and null where there are none', async () => {
    await used([{ ...FAILED, details: { latencyMs: 90_000 } }]);
    const metrics = ['p50_latency', 'p95_latency'];
    expect(await rows({ metrics })).toEqual([{ p50_latency: null, p95_latency: null }]);
    await used(Array.from({ length: 101 }, (_, index) => ({ details: { latencyMs: index * 10 } })));
    expect(await rows({ metrics: [...metrics, 'request_count', 'refused_count'] })).toEqual([
      { p50_latency: 500, p95_latency: 950, request_count: 101, refused_count: 1 },
    ]);
    expect(
      await rows({ metrics: ['p95_latency'], filters: [{ field: 'p95_latency', operator: 'gt', value: 950 }] }),
    ).toEqual([]);
  });

  it('answers 200 with why requests were refused, by hour, and the status where there was no reason', async () => {
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    await used([{}, refusedFor('insufficient_budget'), refusedFor('insufficient_budget'), FAILED]);
    await used([{ ...refusedFor('content_blocked'), createdAt: new Date(now - 24 * HOUR_MS) }]);
    const found = await rows({
      metrics: ['refused_count', 'request_count'],
      dimensions: ['refusal'],
      granularity: 'hour',
    });
    expect(found.map(({ refusal, refused_count, request_count }) => [refusal, refused_count, request_count])).toEqual([
      ['503', 1, 0],
      ['insufficient_budget', 2, 0],
      ['content_blocked', 1, 0],
    ]);
    expect(found[2]!['date__hour']).toBe(new Date(now - 24 * HOUR_MS).toISOString());
  });

  it('answers 200 with what each label has used, also beside models, and null for requests without labels', async () => {
    await used([
      { costUsd: '1', details: { labels: { team: 'search', env: 'prod' } } },
      { costUsd: '2', model: 'acme/spare', details: { labels: { team: 'search' } } },
      { costUsd: '4' },
    ]);
    expect(await rows({ metrics: ['total_usage'], dimensions: ['label'] })).toEqual([
      { label: null, total_usage: 4 },
      { label: 'team=search', total_usage: 3 },
      { label: 'env=prod', total_usage: 1 },
    ]);
    const filters = [{ field: 'label', operator: 'eq', value: 'team=search' }];
    expect(await rows({ metrics: ['total_usage'], dimensions: ['model'], filters })).toMatchObject([
      { model: 'acme/spare', total_usage: 2 },
      { model: 'acme/writer', total_usage: 1 },
    ]);
  });

  it('answers 200 with nothing of another organization', async () => {
    await used([{ details: { labels: { team: 'search' }, latencyMs: 10 } }]);
    const other = await gateway.app.factory.organization();
    const { body } = await gateway.app.api.post<{ data: { data: Row[] } }>('/analytics/query', {
      key: other.managementKey,
      json: { metrics: ['p50_latency'], dimensions: ['label'] },
    });
    expect(body.data.data).toEqual([]);
    expect(organization.organizationId).not.toBe(other.organizationId);
  });
});
