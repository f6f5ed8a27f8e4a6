import type { GenerationDetails } from '../../../src/modules/generations/generation-details.js';
import { recordUsed, dateOf, dayBefore, REFUSED, type UsedGeneration } from './used-generations.js';
import { analyticsQueries, HOUR_MS, type Row } from './analytics-queries.js';

const INSPECTOR = { id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61', name: 'Data protection' };

/** What filters and inspectors did with a request. */
function did(
  filters: readonly Partial<GenerationDetails['filters'][number]>[],
  judgements?: readonly Partial<NonNullable<GenerationDetails['judgements']>[number]>[],
): UsedGeneration {
  return {
    details: {
      filters: filters.map((fields) => ({ filter: 'email', action: 'redact', guardrailIds: [], count: 1, ...fields })),
      ...(judgements !== undefined && {
        judgements: judgements.map((fields) => ({
          ...INSPECTOR,
          place: 'request',
          outcome: 'passed',
          count: 1,
          milliseconds: 1,
          ...fields,
        })),
      }),
    },
  };
}

describe('queryAnalytics', () => {
  const { gateway, organization, key, used, result, rows: rowsOf } = analyticsQueries();

  const MONTH = { start: dayBefore(29).toISOString(), end: dayBefore(-1).toISOString() };

  const rows = (json: object): Promise<Row[]> => rowsOf({ time_range: MONTH, ...json });

  const metrics = ['filter_matches', 'filtered_requests'];

  const byAll = async (): Promise<string[]> =>
    (await rows({ metrics, dimensions: ['filter', 'filter_action', 'filter_place'] })).map((row) =>
      Object.values(row).join(' '),
    );

  it('answers 200 with which filter did what with which part, how often and of how many requests, refused ones included', async () => {
    await used([
      did([
        { count: 2 },
        { count: 3, place: 'response' },
        { filter: '[PROJECT]', action: 'flag', count: 4, place: 'tool_call' },
      ]),
      did([{ count: 5 }]),
      { ...REFUSED, ...did([{ action: 'block' }]) },
      did([]),
    ]);

    expect(await byAll()).toEqual([
      'email redact request 7 2',
      '[PROJECT] flag tool_call 4 1',
      'email redact response 3 1',
      'email block request 1 1',
    ]);
    expect(await rows({ metrics })).toEqual([{ filter_matches: 15, filtered_requests: 3 }]);
  });

  it('answers 200 with what inspectors did in the words of filters, and not that texts passed', async () => {
    await used([
      did(
        [],
        [
          { outcome: 'blocked', place: 'response', count: 2 },
          { outcome: 'passed', count: 20 },
        ],
      ),
      did(
        [],
        [
          { outcome: 'changed', place: 'tool_result' },
          { outcome: 'failed', place: 'tool_call' },
        ],
      ),
      did([], [{ outcome: 'blocked', observed: true }]),
      did([], [{ outcome: 'passed', count: 7 }]),
      did([{ filter: 'ssn' }]),
    ]);

    expect((await byAll()).sort()).toEqual([
      'Data protection block response 2 1',
      'Data protection fail tool_call 1 1',
      'Data protection flag request 1 1',
      'Data protection redact tool_result 1 1',
      'ssn redact request 1 1',
    ]);
    const byInspector = { metrics, dimensions: ['inspector'] };
    expect(await rows(byInspector)).toEqual([
      { inspector: INSPECTOR.id, inspector_name: null, filter_matches: 5, filtered_requests: 3 },
      { inspector: null, inspector_name: null, filter_matches: 1, filtered_requests: 1 },
    ]);
    const of = async (operator: string, further: object = {}): Promise<number[]> => {
      const filters = [{ field: 'inspector', operator, value: [INSPECTOR.id.toUpperCase()], ...further }];
      return (await rows({ metrics, filters })).map((row) => Number(row['filter_matches']));
    };
    expect(await of('in')).toEqual([5]);
    expect(await of('in', { include_unset: true })).toEqual([6]);
    expect(await of('not_in')).toEqual([]);
  });

  it('answers 200 with the name that an inspector has now', async () => {
    const { status, body } = await gateway.app.api.post<{ data: { id: string } }>('/inspectors', {
      key: organization.managementKey,
      json: { name: 'Now', protocol: 'texts', url: 'https://guard.example.com' },
    });
    expect(status).toBe(201);
    await used([did([], [{ id: body.data.id, name: 'Before', outcome: 'blocked' }])]);

    expect(await rows({ metrics: ['filter_matches'], dimensions: ['filter', 'inspector'] })).toEqual([
      { filter: 'Before', inspector: body.data.id, inspector_name: 'Now', filter_matches: 1 },
    ]);
  });

  it('answers 200 by every other dimension and granularity too', async () => {
    const workspaceId = await gateway.app.factory.workspace(organization, 'analysts');
    const theirs = await gateway.app.factory.key(organization, { workspaceId, name: 'Theirs' });
    await used([did([{}, { place: 'response' }]), { ...did([{ filter: 'ssn' }]), createdAt: dayBefore(2, 1000) }]);
    await used(
      [{ ...did([{ count: 9 }]), workspaceId, model: 'acme/spare', provider: 'beta', endpoint: 'beta/fast' }],
      theirs,
    );

    const values = async (name: string): Promise<unknown[]> =>
      (await rows({ metrics, dimensions: [name] })).map((row) => [row[name], row['filter_matches']]);
    expect(await values('model')).toEqual([
      ['acme/spare', 9],
      ['acme/writer', 3],
    ]);
    expect(await values('provider')).toEqual([
      ['beta', 9],
      ['alpha', 3],
    ]);
    expect(await values('endpoint')).toEqual([
      ['beta/fast', 9],
      ['alpha', 3],
    ]);
    expect(await values('workspace')).toEqual([
      [workspaceId, 9],
      [organization.workspaceId, 3],
    ]);
    expect(await values('api_key_id')).toEqual([
      [theirs.hash, 9],
      [key.hash, 3],
    ]);
    expect(await values('user')).toEqual([[organization.userId, 12]]);

    const days = await rows({ metrics, dimensions: ['filter'], granularity: 'day' });
    expect(days).toEqual([
      { date__day: dateOf(dayBefore(0)), filter: 'email', filter_matches: 11, filtered_requests: 2 },
      { date__day: dateOf(dayBefore(2)), filter: 'ssn', filter_matches: 1, filtered_requests: 1 },
    ]);
    const start = new Date(Date.now() - 2 * HOUR_MS).toISOString();
    const minutes = { metrics, granularity: 'minute', time_range: { start, end: new Date().toISOString() } };
    expect((await result(minutes)).data).toHaveLength(1);
  });

  it('answers 200 with what conditions on filters, other dimensions and counts leave', async () => {
    await used([
      did([{ count: 4 }]),
      did([{ filter: 'ssn' }]),
      { ...did([{ filter: 'ssn', action: 'block' }]), model: 'm/other' },
    ]);
    const filtered = async (...filters: [field: string, operator: string, value: unknown][]): Promise<unknown[]> => {
      const conditions = filters.map(([field, operator, value]) => ({ field, operator, value }));
      const found = await rows({ metrics, dimensions: ['filter', 'filter_action'], filters: conditions });
      return found.map((row) => `${String(row['filter'])} ${String(row['filter_action'])}`);
    };

    expect(await filtered(['filter', 'eq', 'email'])).toEqual(['email redact']);
    expect(await filtered(['filter', 'neq', 'email'], ['filter_action', 'in', ['block']])).toEqual(['ssn block']);
    expect(await filtered(['model', 'eq', 'm/other'])).toEqual(['ssn block']);
    expect(await filtered(['filter_matches', 'gte', 4])).toEqual(['email redact']);
    expect(await filtered(['filter_place', 'not_in', ['request']])).toEqual([]);
    expect(await filtered(['filter', 'eq', `email' OR true --`])).toEqual([]);
    // Without a time it is the last 7 days, from within an hour to within another.
    expect((await result({ metrics, filters: [{ field: 'filter', operator: 'eq', value: 'ssn' }] })).data).toEqual([
      { filter_matches: 2, filtered_requests: 2 },
    ]);
  });

  it('answers 200 with nothing of other organizations and of other times', async () => {
    const others = await gateway.app.factory.organization();
    const otherKey = await gateway.app.factory.key(others);
    await recordUsed(gateway.app, others, otherKey, [did([{}]), did([{}])]);
    await used([did([{}]), { ...did([{ filter: 'ssn' }]), createdAt: dayBefore(40) }]);

    expect(await byAll()).toEqual(['email redact request 1 1']);
  });
});
