import type { AnalyticsMetaResponse } from '../../../src/modules/usage/analytics/dto/analytics-meta.dto.js';
import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import { TestApplication } from '../../support/application/test-application.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import { dateOf, dayBefore, FAILED, REFUSED } from './used-generations.js';
import { analyticsQueries, type Row, HOUR_MS, WHOLE_YEAR } from './analytics-queries.js';

describe('queryAnalytics', () => {
  const { gateway, organization, used, result, rows, metrics } = analyticsQueries();

  const yesterday = (later = 0): Date => dayBefore(1, later);

  it('answers getAnalyticsMeta with 200 and every metric and dimension, each of which can be asked for (200)', async () => {
    const { status, body } = await gateway.app.api.get<AnalyticsMetaResponse>('/analytics/meta', {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    expectToFitContract('getAnalyticsMeta', 200, body);
    const { metrics, dimensions, operators, granularities } = body.data;
    expect(operators.map(({ name, value_type }) => `${name} ${value_type}`)).toEqual([
      'eq scalar',
      'neq scalar',
      'in array',
      'not_in array',
      'gt scalar',
      'gte scalar',
      'lt scalar',
      'lte scalar',
    ]);

    const filters = [{ filter: 'email', action: 'redact' as const, guardrailIds: [], count: 1 }];
    await used([{ details: { filters } }, REFUSED]);
    const [ofFilters, ofUsage] = [true, false].map((isOfFilters) =>
      metrics.map(({ name }) => name).filter((name) => name.startsWith('filter') === isOfFilters),
    );
    for (const { name } of granularities) {
      for (const asked of [ofFilters!, ofUsage!]) {
        const [row] = (await result({ metrics: asked, granularity: name })).data;
        expect(Object.keys(row!)).toEqual([`date__${name}`, ...asked]);
      }
    }
    const time_range = { start: dayBefore(29).toISOString(), end: dayBefore(-1).toISOString() };
    const all = dimensions.map(({ name }) => name);
    const withFilters = all.filter((name) => !['refusal', 'label'].includes(name));
    const withoutFilters = all.filter((name) => !name.startsWith('filter') && name !== 'inspector');
    for (const [metric, names] of [
      ['request_count', withoutFilters.filter((name) => name !== 'refusal')],
      ['refused_count', withoutFilters],
      ['filtered_requests', withFilters],
    ] as const) {
      for (const name of names) {
        for (const other of names.filter((each) => each !== name)) {
          const [row] = await rows({ metrics: [metric], dimensions: [name, other], time_range });
          expect(row).toMatchObject({ [metric]: 1 });
          expect(Object.keys(row!)).toEqual(expect.arrayContaining([name, other]));
        }
      }
    }
  });

  it('answers 200 with no row where nothing was used', async () => {
    expect(await result({ metrics: ['request_count'] })).toEqual({
      data: [],
      metadata: { query_time_ms: expect.any(Number) as number, row_count: 0, truncated: false },
      warnings: ['The time range was widened to whole hours.'],
    });
  });

  it('answers 200 with each metric of answers, refusals, own keys, cached and reasoning tokens, times and findings', async () => {
    const filters = [{ filter: 'email', action: 'redact' as const, guardrailIds: [], count: 1 }];
    await used([
      {
        costUsd: '1.000000000000000001',
        details: { latencyMs: 100, generationMs: 1000, cachedTokens: 40, reasoningTokens: 3 },
      },
      { costUsd: '2', isByok: true, details: { latencyMs: 300, generationMs: 3000, filters } },
      // An embedding has no completion tokens, so its time says nothing of their throughput.
      { costUsd: '0', completionTokens: 0, promptTokens: 50, details: { generationMs: 50_000 } },
      { ...REFUSED, details: { filters } },
      { ...FAILED, details: { generationMs: 9 } },
    ]);
    const metrics = [
      ['request_count', 3],
      ['refused_count', 2],
      ['byok_request_count', 1],
      ['guardrail_invoked_count', 2],
      ['tokens_prompt', 250],
      ['tokens_completion', 40],
      ['tokens_total', 290],
      ['reasoning_tokens', 3],
      ['cached_tokens', 40],
      ['total_usage', 3],
      ['credits_usage', 1],
      ['byok_usage', 2],
      ['avg_latency', 200],
      ['avg_throughput', 10],
      ['cache_hit_rate', 0.16],
      ['guardrail_invoked_rate', 0.4],
      ['refused_rate', 0.4],
    ] as const;

    expect(await rows({ metrics: metrics.map(([name]) => name) })).toEqual([Object.fromEntries(metrics)]);
  });

  it('answers 200 with null for a mean or a ratio of nothing', async () => {
    await used([REFUSED]);
    expect(await rows({ metrics: ['avg_latency', 'avg_throughput', 'cache_hit_rate', 'refused_rate'] })).toEqual([
      { avg_latency: null, avg_throughput: null, cache_hit_rate: null, refused_rate: 1 },
    ]);
  });

  it('answers 200 with what each dimension tells apart, by ids and with names', async () => {
    const { factory } = gateway.app;
    const workspaceId = await factory.workspace(organization, 'analysts');
    const userId = await factory.member(organization.organizationId);
    const theirs = await factory.key(organization, { userId, workspaceId, name: 'Theirs' });
    await used([{}, {}]);
    await used([{ userId, workspaceId, model: 'acme/spare', provider: 'beta', endpoint: 'beta/fast' }], theirs);
    const [user] = await gateway.app.rows<{ name: string }>('SELECT name FROM users WHERE id = $1', [userId]);

    const of = async (dimension: string): Promise<Row[]> =>
      rows({ metrics: ['request_count'], dimensions: [dimension] });

    expect(await of('model')).toMatchObject([
      { model: 'acme/writer', request_count: 2 },
      { model: 'acme/spare', request_count: 1 },
    ]);
    expect(await of('provider')).toEqual([
      { provider: 'alpha', provider_name: 'Alpha Cloud', request_count: 2 },
      { provider: 'beta', provider_name: 'Beta Cloud', request_count: 1 },
    ]);
    expect((await of('endpoint'))[1]).toEqual({ endpoint: 'beta/fast', request_count: 1 });
    expect((await of('workspace'))[1]).toEqual({
      workspace: workspaceId,
      workspace_name: 'analysts',
      request_count: 1,
    });
    expect((await of('user'))[1]).toEqual({ user: userId, user_name: user!.name, request_count: 1 });
    expect((await of('api_key_id'))[1]).toEqual({ api_key_id: theirs.hash, api_key_name: 'Theirs', request_count: 1 });

    const path = `/keys/${theirs.hash}`;
    expect((await gateway.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
    expect((await of('api_key_id'))[1]).toEqual({ api_key_id: theirs.id, api_key_name: null, request_count: 1 });
    const filters = [{ field: 'api_key_id', operator: 'eq', value: theirs.id }];
    expect(await rows({ metrics: ['request_count'], filters })).toEqual([{ request_count: 1 }]);
  });

  it('answers 200 with the steps of each granularity in UTC, the latest first', async () => {
    const now = Date.now();
    const [minute, hour] = [60_000, HOUR_MS].map((length) => new Date(Math.floor(now / length) * length - length));
    await used([
      { createdAt: minute! },
      { createdAt: hour! },
      { createdAt: dayBefore(2, 5000) },
      { createdAt: dayBefore(40) },
    ]);
    const steps = async (granularity: string, time_range?: object): Promise<unknown[]> => {
      const json = { metrics: ['request_count'], granularity, ...(time_range && { time_range }) };
      return (await result(json)).data.map((row) => row[`date__${granularity}`]);
    };

    expect((await steps('minute')).slice(0, 1)).toEqual([minute!.toISOString()]);
    const latest = { start: new Date(now - 2 * HOUR_MS).toISOString(), end: new Date(now).toISOString() };
    expect(await steps('hour', latest)).toContain(hour!.toISOString());
    const days = await steps('day', WHOLE_YEAR);
    expect(days).toEqual([...days].sort().toReversed());
    expect(days.slice(-2)).toEqual([dateOf(dayBefore(2)), dateOf(dayBefore(40))]);
    const monday = dayBefore(40 + ((dayBefore(40).getUTCDay() + 6) % 7));
    expect((await steps('week', WHOLE_YEAR)).at(-1)).toBe(dateOf(monday));
    expect((await steps('month', WHOLE_YEAR)).at(-1)).toBe(`${dateOf(dayBefore(40)).slice(0, 7)}-01`);
  });

  it('answers 200 with whole hours of a short time, whole days of a long one, and says so', async () => {
    await used([
      { createdAt: yesterday() },
      { createdAt: yesterday(HOUR_MS - 1000) },
      { createdAt: yesterday(HOUR_MS) },
    ]);
    const asked = (start: Date, end: Date): Promise<AnalyticsResult> =>
      result({ metrics: ['request_count'], time_range: { start: start.toISOString(), end: end.toISOString() } });

    const hour = await asked(yesterday(), yesterday(HOUR_MS));
    expect(hour).toMatchObject({ data: [{ request_count: 2 }] });
    expect(hour).not.toHaveProperty('warnings');
    const widened = { warnings: ['The time range was widened to whole hours.'] };
    expect(await asked(yesterday(1), yesterday(2))).toMatchObject({ data: [{ request_count: 2 }], ...widened });
    expect(await asked(yesterday(HOUR_MS), yesterday(HOUR_MS + 1))).toMatchObject({ data: [{ request_count: 1 }] });
    expect(await asked(dayBefore(100), yesterday(1))).toMatchObject({
      data: [{ request_count: 3 }],
      warnings: ['The time range was widened to whole days.'],
    });
    // Other offsets than UTC are the same time.
    const offset = { start: '2026-01-01T02:00:00+02:00', end: '2026-01-01T01:00:00Z' };
    expect(await result({ metrics: ['request_count'], time_range: offset })).toMatchObject({ data: [] });
  });

  it('answers 200 to a query that takes longer than other statements may, and 408 beyond the time limit of queries', async () => {
    await gateway.app.rows(
      `INSERT INTO usage_totals SELECT $1, 'day', 'key', $2, '', gen_random_uuid()::text, 'user_x', 'acme/writer', 'alpha', 'alpha',
         1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0 FROM generate_series(1, 400000)`,
      [organization.organizationId, yesterday()],
    );
    const json = { metrics, dimensions: ['api_key_id', 'model'], time_range: WHOLE_YEAR, limit: 1 };
    const answerWithin = async (variables: Record<string, string>): Promise<Answer> => {
      const app = await TestApplication.start({ database: gateway.app.database, variables });
      try {
        return await app.api.post('/analytics/query', { key: organization.managementKey, json });
      } finally {
        await app.stop();
      }
    };

    const patient = await answerWithin({ DATABASE_STATEMENT_TIMEOUT_MS: '100' });
    expect(patient).toMatchObject({ status: 200, body: { data: { metadata: { row_count: 1, truncated: true } } } });
    for (const statement of ['100', '60000']) {
      const hurried = await answerWithin({ DATABASE_STATEMENT_TIMEOUT_MS: statement, ANALYTICS_TIMEOUT_MS: '100' });
      expectRefusal(hurried, {
        status: 408,
        reason: 'analytics_timeout',
        message: 'The query took too long. Ask for a shorter period or fewer dimensions, or filter by key or model.',
        userId: organization.userId,
      });
    }
  }, 120_000);
});
