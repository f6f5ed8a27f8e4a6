import { dateOf, dayBefore, REFUSED } from './used-generations.js';
import { analyticsQueries, WHOLE_YEAR } from './analytics-queries.js';

describe('queryAnalytics', () => {
  const { gateway, organization, key, used, result, rows } = analyticsQueries();

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
    const { factory } = gateway.app;
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
});
