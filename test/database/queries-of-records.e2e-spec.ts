import pg from 'pg';
import { totalsOf } from '../../src/modules/usage/analytics/analytics-range.js';
import { analyticsStatement } from '../../src/modules/usage/analytics/analytics-statement.js';
import { newUuid } from '../../src/persistence/identifiers.js';
import { TestApplication } from '../support/application/test-application.js';
import { rowsReadBy } from './explained-statements.js';

const HOUR_MS = 3_600_000;

describe('queries that read records', () => {
  let app: TestApplication;
  let client: pg.Client;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  // The statements of all queries have one name, which means one statement on a connection.
  beforeEach(async () => {
    client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
  });

  afterEach(() => client.end());

  afterAll(() => app.stop());

  it('about reasons read the records alone that have no answer', async () => {
    const { organizationId } = await app.factory.organization();
    await client.query(
      `INSERT INTO generations (organization_id, id, created_at, key_id, user_id, status, model, is_byok, cost_usd, details)
       SELECT $1, format('gen-%s-%s', floor(extract(epoch FROM now())), lpad(n::text, 20, '0')), date_trunc('second', now()),
         $2, 'user_x', CASE WHEN n <= 2 THEN 402 ELSE 200 END, 'm', false, 0, '{"filters": [], "refusal": "insufficient_budget"}'
       FROM generate_series(1, 3000) AS n`,
      [organizationId, newUuid()],
    );
    await client.query('ANALYZE generations');
    const now = Date.now();
    const { statement, values } = analyticsStatement(organizationId, {
      metrics: ['refused_count'],
      dimensions: ['refusal'],
      conditions: [],
      granularity: undefined,
      range: totalsOf({ start: now - HOUR_MS, end: now + HOUR_MS }, undefined, now),
      order: { field: 'refused_count', direction: 'desc' },
      groupLimit: undefined,
      maximum: 10,
    });
    const { rows } = await client.query<object>(statement.text, [...values]);
    expect(rows).toEqual([{ refusal: 'insufficient_budget', refused_count: '2' }]);
    const read = Object.entries(await rowsReadBy(client, statement, values));
    expect(read.map(([table, count]) => [table.replace(/_\d{4}_\d{2}$/, ''), count])).toEqual([['generations', 2]]);
  });

  it('about what filters did read the records alone in which a filter or an inspector has found something', async () => {
    const { organizationId } = await app.factory.organization();
    await client.query(
      `INSERT INTO generations (organization_id, id, created_at, key_id, user_id, status, model, is_byok, cost_usd, details)
       SELECT $1, format('gen-%s-%s', floor(extract(epoch FROM now())), lpad(n::text, 20, '0')), date_trunc('second', now()),
         $2, 'user_x', 200, 'm', false, 0,
         jsonb_build_object('filters', CASE WHEN n = 1 THEN '[{"filter": "email", "action": "flag", "count": 1}]' ELSE '[]' END::jsonb,
           'judgements', CASE WHEN n > 2 THEN '[{"outcome": "passed", "count": 1}]'
             ELSE '[{"name": "Own", "id": "x", "place": "request", "outcome": "blocked", "count": 1}]' END::jsonb)
       FROM generate_series(1, 3000) AS n`,
      [organizationId, newUuid()],
    );
    await client.query('ANALYZE generations');
    const now = Date.now();
    const { statement, values } = analyticsStatement(organizationId, {
      metrics: ['filter_matches', 'filtered_requests'],
      dimensions: ['filter'],
      conditions: [],
      granularity: undefined,
      range: totalsOf({ start: now - HOUR_MS, end: now + HOUR_MS }, undefined, now),
      order: { field: 'filter_matches', direction: 'desc' },
      groupLimit: undefined,
      maximum: 10,
    });

    const { rows } = await client.query<object>(statement.text, [...values]);
    expect(rows).toEqual([
      { filter: 'Own', filter_matches: '2', filtered_requests: '2' },
      { filter: 'email', filter_matches: '1', filtered_requests: '1' },
    ]);
    const read = Object.entries(await rowsReadBy(client, statement, values));
    expect(read.map(([table, count]) => [table.replace(/_\d{4}_\d{2}$/, ''), count])).toEqual([['generations', 2]]);
  });
});
