import type { AnalyticsMetaResponse } from '../../../src/modules/usage/analytics/dto/analytics-meta.dto.js';
import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import { TestApplication } from '../../support/application/test-application.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  dateOf,
  dayBefore,
  FAILED,
  keepRecordsBefore,
  recordUsed,
  REFUSED,
  type UsedGeneration,
} from './used-generations.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGate } from '../inference/shared-gate.js';

const HOUR_MS = 3_600_000;

const WHOLE_YEAR = { start: dayBefore(365).toISOString(), end: dayBefore(-1).toISOString() };

/** Every record is an answer of 0.1 dollars, 100 prompt tokens and 20 completion tokens, unless a test says otherwise. */
const ANSWER: UsedGeneration = { costUsd: '0.1', promptTokens: 100, completionTokens: 20 };

type Row = AnalyticsResult['data'][number];

describe('queryAnalytics', () => {
  const gate = sharedGate();
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  beforeAll(async () => {
    for (const days of [0, 1, 2, 9, 40]) await keepRecordsBefore(gate.app, days);
  });

  const used = (records: readonly UsedGeneration[], by = key): Promise<void> =>
    recordUsed(
      gate.app,
      organization,
      by,
      records.map((record) => ({ ...ANSWER, ...record })),
    );

  const ask = <Body>(json: object): Promise<Answer<Body>> =>
    gate.app.api.post<Body>('/analytics/query', { key: organization.managementKey, json });

  const result = async (json: object): Promise<AnalyticsResult> => {
    const { status, body } = await ask<{ data: AnalyticsResult }>(json);
    expect({ status, body }).toMatchObject({ status: 200 });
    expectToFitContract('queryAnalytics', 200, { data: { ...body.data, data: [] } });
    expect(body.data.metadata.row_count).toBe(body.data.data.length);
    return body.data;
  };

  const rows = async (json: object): Promise<Row[]> => (await result({ time_range: WHOLE_YEAR, ...json })).data;

  const yesterday = (later = 0): Date => dayBefore(1, later);

  it('answers getAnalyticsMeta with 200 and every metric and dimension, each of which can be asked for (200)', async () => {
    const { status, body } = await gate.app.api.get<AnalyticsMetaResponse>('/analytics/meta', {
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

    await used([{}]);
    for (const { name } of granularities) {
      const json = { metrics: metrics.map((metric) => metric.name), granularity: name };
      const [row] = (await result(json)).data;
      expect(Object.keys(row!)).toEqual([`date__${name}`, ...metrics.map((metric) => metric.name)]);
    }
    for (const { name } of dimensions) {
      for (const { name: other } of dimensions.filter((dimension) => dimension.name !== name)) {
        const [row] = await rows({ metrics: ['request_count'], dimensions: [name, other] });
        expect(row).toMatchObject({ request_count: 1 });
        expect(Object.keys(row!)).toEqual(expect.arrayContaining([name, other]));
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
    const { factory } = gate.app;
    const workspaceId = await factory.workspace(organization, 'analysts');
    const userId = await factory.member(organization.organizationId);
    const theirs = await factory.key(organization, { userId, workspaceId, name: 'Theirs' });
    await used([{}, {}]);
    await used([{ userId, workspaceId, model: 'acme/spare', provider: 'beta', endpoint: 'beta/fast' }], theirs);
    const [user] = await gate.app.rows<{ name: string }>('SELECT name FROM users WHERE id = $1', [userId]);

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
    expect((await gate.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
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

  it('answers 200 with what each operator leaves of dimensions, and rows without a value only when they are asked for', async () => {
    await used([{ model: 'm/one' }, { model: 'm/two' }, { model: 'm/three' }]);
    await used([REFUSED]);
    const models = async (operator: string, value: unknown, further: object = {}): Promise<unknown[]> => {
      const filters = [{ field: 'model', operator, value, ...further }];
      const order_by = { field: 'model', direction: 'asc' };
      return (await rows({ metrics: ['request_count'], dimensions: ['model'], filters, order_by })).map(
        ({ model }) => model,
      );
    };
    expect(await models('eq', 'm/one')).toEqual(['m/one']);
    expect(await models('neq', 'm/one')).toEqual(['m/three', 'm/two']);
    expect(await models('in', ['m/one', 'm/two', 'm/none'])).toEqual(['m/one', 'm/two']);
    expect(await models('in', ['m/one'], { include_unset: true })).toEqual([null, 'm/one']);
    expect(await models('not_in', ['m/one', 'm/two'])).toEqual(['m/three']);
    expect(await models('not_in', ['m/one', 'm/two'], { include_unset: true })).toEqual([null, 'm/three']);
    expect(await models('eq', `m/one' OR true --`)).toEqual([]);
  });

  it('answers 200 with what each operator leaves of metrics', async () => {
    await used([
      { model: 'm/one' },
      { model: 'm/two' },
      { model: 'm/two' },
      ...Array.from({ length: 3 }, () => ({ model: 'm/three' })),
    ]);
    const counts = async (operator: string): Promise<unknown[]> => {
      const filters = [{ field: 'request_count', operator, value: 2 }];
      return (await rows({ metrics: ['request_count'], dimensions: ['model'], filters })).map(
        (row) => row['request_count'],
      );
    };
    expect(await counts('eq')).toEqual([2]);
    expect(await counts('neq')).toEqual([3, 1]);
    expect(await counts('gt')).toEqual([3]);
    expect(await counts('gte')).toEqual([3, 2]);
    expect(await counts('lt')).toEqual([1]);
    expect(await counts('lte')).toEqual([2, 1]);
  });

  it('answers 200 with what all filters leave, of keys, members, workspaces, providers and endpoints', async () => {
    const { factory } = gate.app;
    const userId = await factory.member(organization.organizationId);
    const theirs = await factory.key(organization, { userId });
    await used([{}]);
    await used([{ userId, endpoint: 'alpha/fast' }], theirs);
    const count = async (...filters: [field: string, operator: string, value: unknown][]): Promise<number> => {
      const conditions = filters.map(([field, operator, value]) => ({ field, operator, value }));
      const found = await rows({ metrics: ['request_count'], filters: conditions });
      return found.reduce((sum, row) => sum + Number(row['request_count']), 0);
    };
    expect(await count(['api_key_id', 'in', [key.hash, theirs.hash]])).toBe(2);
    expect(await count(['api_key_id', 'eq', theirs.hash])).toBe(1);
    expect(await count(['api_key_id', 'neq', theirs.id.toUpperCase()])).toBe(1);
    expect(await count(['user', 'eq', organization.userId])).toBe(1);
    expect(await count(['workspace', 'eq', organization.workspaceId.toUpperCase()])).toBe(2);
    expect(await count(['provider', 'eq', 'alpha'], ['endpoint', 'not_in', ['alpha']])).toBe(1);
    expect(await count(['user', 'eq', organization.userId], ['api_key_id', 'eq', theirs.hash])).toBe(0);
    expect(await count(['api_key_id', 'eq', 'not a key'])).toBe(0);
  });

  it('answers 200 with the rows in the order and number that were asked for, and says whether there are more', async () => {
    const models = ['m/one', 'm/two', 'm/three'];
    await used(
      models.flatMap((model, index) =>
        [0, 1, 2].flatMap((days) => Array.from({ length: index + 1 }, () => ({ model, createdAt: dayBefore(days) }))),
      ),
    );
    const query = { metrics: ['request_count'], dimensions: ['model'] };
    const shown = async (fields: object): Promise<string[]> =>
      (await rows({ ...query, ...fields })).map((row) => `${String(row['model'])} ${String(row['request_count'])}`);

    expect(await shown({})).toEqual(['m/three 9', 'm/two 6', 'm/one 3']);
    expect(await shown({ order_by: { field: 'request_count', direction: 'asc' } })).toEqual([
      'm/one 3',
      'm/two 6',
      'm/three 9',
    ]);
    expect(await shown({ order_by: { field: 'model', direction: 'desc' }, limit: 2 })).toEqual([
      'm/two 6',
      'm/three 9',
    ]);

    const limited = await result({ ...query, time_range: WHOLE_YEAR, limit: 2 });
    expect(limited.metadata).toMatchObject({ row_count: 2, truncated: true });
    expect((await result({ ...query, time_range: WHOLE_YEAR, limit: 3 })).metadata.truncated).toBe(false);

    const steps = await rows({
      ...query,
      granularity: 'day',
      group_limit: 2,
      order_by: { field: 'date', direction: 'asc' },
    });
    expect(steps.map((row) => [row['date__day'], row['model']])).toEqual([
      [dateOf(dayBefore(2)), 'm/one'],
      [dateOf(dayBefore(2)), 'm/three'],
      [dateOf(dayBefore(2)), 'm/two'],
      [dateOf(dayBefore(1)), 'm/one'],
      [dateOf(dayBefore(1)), 'm/three'],
      [dateOf(dayBefore(1)), 'm/two'],
    ]);
    // Without dimensions there is nothing that has more rows than one.
    expect(await rows({ metrics: ['request_count'], granularity: 'day', group_limit: 1 })).toHaveLength(3);
  });

  const metrics = ['request_count'];
  const time = (start: number, end: number): object => ({
    start: new Date(Date.now() + start).toISOString(),
    end: new Date(Date.now() + end).toISOString(),
  });
  const DAY = 24 * HOUR_MS;
  const filter = (fields: object): object => ({
    metrics,
    filters: [{ field: 'model', operator: 'eq', value: 'm', ...fields }],
  });

  it.each<[string, object, string[]]>([
    ['no metrics', {}, ['metrics']],
    ['an empty list of metrics', { metrics: [] }, ['metrics']],
    ['an unknown metric', { metrics: ['cost'] }, ['metrics[0]']],
    ['a metric of the name of a property', { metrics: ['constructor'] }, ['metrics[0]']],
    ['a metric twice', { metrics: ['request_count', 'request_count'] }, ['metrics[1]']],
    ['an unknown dimension', { metrics, dimensions: ['country'] }, ['dimensions[0]']],
    ['a dimension twice', { metrics, dimensions: ['model', 'model'] }, ['dimensions[1]']],
    ['three dimensions', { metrics, dimensions: ['model', 'user', 'provider'] }, ['dimensions']],
    ['an unknown granularity', { metrics, granularity: 'year' }, ['granularity']],
    ['a limit of 0', { metrics, limit: 0 }, ['limit']],
    ['a limit of 1001', { metrics, limit: 1001 }, ['limit']],
    ['a group limit of 0', { metrics, group_limit: 0 }, ['group_limit']],
    [
      'an order by what the query has not',
      { metrics, order_by: { field: 'total_usage', direction: 'asc' } },
      ['order_by.field'],
    ],
    [
      'an order by date without a granularity',
      { metrics, order_by: { field: 'date', direction: 'asc' } },
      ['order_by.field'],
    ],
    [
      'an unknown direction',
      { metrics, order_by: { field: 'request_count', direction: 'up' } },
      ['order_by.direction'],
    ],
    ['an end before the start', { metrics, time_range: time(0, -1000) }, ['time_range.end']],
    ['367 days', { metrics, time_range: time(-367 * DAY, 0) }, ['time_range.end']],
    ['32 days by the hour', { metrics, granularity: 'hour', time_range: time(-32 * DAY, 0) }, ['time_range.end']],
    [
      '4 hours by the minute',
      { metrics, granularity: 'minute', time_range: time(-4 * HOUR_MS, 0) },
      ['time_range.end'],
    ],
    [
      'minutes of 8 days ago',
      { metrics, granularity: 'minute', time_range: time(-8 * DAY, -8 * DAY + 1000) },
      ['time_range.start'],
    ],
    [
      'hours of 93 days ago',
      { metrics, granularity: 'hour', time_range: time(-93 * DAY, -92 * DAY) },
      ['time_range.start'],
    ],
    ['a time range without an end', { metrics, time_range: { start: WHOLE_YEAR.start } }, ['time_range.end']],
    ['a time that is none', { metrics, time_range: { ...WHOLE_YEAR, start: 'yesterday' } }, ['time_range.start']],
    ['an unknown field', { metrics, offset: 1 }, ['offset']],
    ['a filter by an unknown field', filter({ field: 'country' }), ['filters[0].field']],
    ['an unknown operator', filter({ operator: 'like' }), ['filters[0].operator']],
    ['an order of dimensions', filter({ operator: 'gt' }), ['filters[0].operator']],
    ['a list for eq', filter({ value: ['m'] }), ['filters[0].value']],
    ['a text for in', filter({ operator: 'in' }), ['filters[0].value']],
    ['an empty list for in', filter({ operator: 'in', value: [] }), ['filters[0].value']],
    ['101 values', filter({ operator: 'in', value: Array.from({ length: 101 }, String) }), ['filters[0].value']],
    ['a number for a dimension', filter({ value: 1 }), ['filters[0].value']],
    ['an empty text', filter({ value: '' }), ['filters[0].value']],
    ['a number in a list of texts', filter({ operator: 'in', value: ['m', 1] }), ['filters[0].value[1]']],
    ['a text for a metric', filter({ field: 'request_count' }), ['filters[0].value']],
    [
      'a list of metrics',
      filter({ field: 'request_count', operator: 'in', value: [1] }),
      ['filters[0].operator', 'filters[0].value'],
    ],
    ['unset rows with eq', filter({ include_unset: true }), ['filters[0].include_unset']],
    [
      'unset rows of members',
      filter({ field: 'user', operator: 'in', value: ['u'], include_unset: true }),
      ['filters[0].include_unset'],
    ],
    [
      '21 filters',
      { metrics, filters: Array.from({ length: 21 }, () => ({ field: 'model', operator: 'eq', value: 'm' })) },
      ['filters'],
    ],
  ])('answers 400 for %s', async (_, json, paths) => {
    expectRefusal(await ask(json), { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });

  it('answers 400 for classifiers, of which there are none', async () => {
    const classifier_id = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61';
    const refusal = { status: 400, reason: 'classifier_not_found', userId: organization.userId };
    const dimensions = { metrics, classifier_dimensions: { classifier_id, dimension_names: ['topic'] } };
    expectRefusal(await ask(dimensions), { ...refusal, paths: ['classifier_dimensions.classifier_id'] });
    const filters = [{ field: 'topic', operator: 'eq', value: 'billing' }];
    expectRefusal(await ask({ metrics, classifier_filters: { classifier_id, filters } }), {
      ...refusal,
      paths: ['classifier_filters.classifier_id'],
    });
  });

  it('answers 200 to a query that takes longer than other statements may, and 408 beyond the time limit of queries', async () => {
    await gate.app.rows(
      `INSERT INTO usage_totals SELECT $1, 'day', 'key', $2, '', gen_random_uuid()::text, 'user_x', 'acme/writer', 'alpha', 'alpha',
         1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0 FROM generate_series(1, 400000)`,
      [organization.organizationId, yesterday()],
    );
    const json = { metrics, dimensions: ['api_key_id', 'model'], time_range: WHOLE_YEAR, limit: 1 };
    const answerWithin = async (variables: Record<string, string>): Promise<Answer> => {
      const app = await TestApplication.start({ database: gate.app.database, variables });
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
        message: 'The query took too long. Ask for less time, fewer dimensions, or the keys or models that matter.',
        userId: organization.userId,
      });
    }
  });
});
