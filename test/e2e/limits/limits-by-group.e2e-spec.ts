import type { Limit, LimitException, LimitUse } from '../../../src/modules/limits/dto/limit.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { newLimit, newLimitException } from '../../support/resources/limits.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

const LIMIT = { name: 'Agents', group_by: ['user'], measure: 'usd', amount: 5, window: 'daily' };

const MANY = Array.from({ length: 101 }, (_, index) => `${index}`);

/** What is wrong with a limit: its fields, and the path of the issue. */
const WRONG: readonly (readonly [string, object, string])[] = [
  ['no name', { name: undefined }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['an unknown measure', { measure: 'euros' }, 'measure'],
  ['an amount below zero', { amount: -1 }, 'amount'],
  ['an amount that is no number', { amount: '5' }, 'amount'],
  ['an amount with too many decimals', { amount: 1e-19 }, 'amount'],
  ['half a request', { measure: 'requests', amount: 1.5 }, 'amount'],
  ['an amount that is too large', { amount: 1e16 }, 'amount'],
  ['an unknown window', { window: 'yearly' }, 'window'],
  ['no window', { window: undefined }, 'window'],
  ['a window for requests at the same time', { measure: 'concurrent', amount: 1 }, 'window'],
  ['a session window without sessions', { window: 'session' }, 'window'],
  ['a lifetime of end users', { window: 'lifetime' }, 'window'],
  ['a lifetime of sessions', { window: 'lifetime', group_by: ['session'] }, 'window'],
  ['an unknown key to group by', { group_by: ['user', 'color'] }, 'group_by[1]'],
  ['a key to group by twice', { group_by: ['user', 'user'] }, 'group_by[1]'],
  ['a label without a name', { group_by: ['label.'] }, 'group_by[0]'],
  ['a label of a prototype', { group_by: ['label.__proto__'] }, 'group_by[0]'],
  ['a prototype as a key', { group_by: ['__proto__'] }, 'group_by[0]'],
  [
    'too many keys to group by',
    { group_by: ['user', 'session', 'model', 'author', 'provider', 'operation'] },
    'group_by',
  ],
  ['an unknown key of a condition', { conditions: [{ key: 'color', values: '*' }] }, 'conditions[0].key'],
  ['a condition without a key', { conditions: [{ values: '*' }] }, 'conditions[0].key'],
  ['no values', { conditions: [{ key: 'user', values: [] }] }, 'conditions[0].values'],
  ['other values than texts', { conditions: [{ key: 'user', values: [7] }] }, 'conditions[0].values[0]'],
  ['an empty value', { conditions: [{ key: 'user', values: ['a', ''] }] }, 'conditions[0].values[1]'],
  ['too many values', { conditions: [{ key: 'user', values: MANY }] }, 'conditions[0].values'],
  ['an unknown field of a condition', { conditions: [{ key: 'user', values: '*', not: [] }] }, 'conditions[0].not'],
  [
    'values that are excluded',
    { conditions: [{ key: 'user', values: ['a'], excludes: ['a'] }] },
    'conditions[0].excludes',
  ],
  [
    'two conditions about one key',
    { conditions: [{ key: 'user', values: ['a'] }, { key: 'user', values: ['b'] }] }, // prettier-ignore
    'conditions[1].key',
  ],
  ['an unknown operation', { conditions: [{ key: 'operation', values: ['chats'] }] }, 'conditions[0].values[0]'],
  [
    'too many conditions',
    { conditions: Array.from({ length: 21 }, () => ({ key: 'user', values: '*' })) },
    'conditions',
  ],
  ['an unknown way with what is missing', { on_missing: 'ask' }, 'on_missing'],
  ['an unknown enforcement', { enforcement: 'hope' }, 'enforcement'],
  ['alerts at nothing', { alert_at: [0] }, 'alert_at[0]'],
  ['too many alerts', { alert_at: [1, 2, 3, 4, 5, 6] }, 'alert_at'],
  ['a workspace of no one', { workspace_id: UNKNOWN_UUID }, 'workspace_id'],
];

describe('limits', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const managed = <Body>(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    json?: object,
  ): Promise<Answer<Body>> => app.api[method]<Body>(path, { key: organization.managementKey, ...(json && { json }) });

  const all = async (): Promise<readonly Limit[]> => (await managed<{ data: Limit[] }>('get', '/limits')).body.data;

  it.each(WRONG)('answer 400 to %s, and nothing is made', async (_, fields, path) => {
    const { status, body } = await managed('post', '/limits', { ...LIMIT, ...fields });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: expect.arrayContaining([expect.objectContaining({ path })]) } } },
    });
    expect(await all()).toEqual([]);
  });

  it('answer 201 with all fields and their defaults, and 200 with the same', async () => {
    const { status, body } = await managed<{ data: Limit }>('post', '/limits', LIMIT);
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        ...LIMIT,
        workspace_id: null,
        conditions: [],
        on_missing: 'none',
        include_byok: false,
        enforcement: 'enforce',
        alert_at: [0.8, 1],
      },
    });
    expect((await managed<{ data: Limit }>('get', `/limits/${body.data.id}`)).body).toEqual(body);
    expect(await all()).toEqual([body.data]);
  });

  it('answer 400 to changes of what stays and to an amount that does not fit the measure, 412 to others of an older state, and 200 to the rest', async () => {
    const id = await newLimit(app, organization);
    expect((await managed('patch', `/limits/${id}`, { amount: 1.5 })).status).toBe(400);
    expect((await managed('patch', `/limits/${id}`, { window: 'hour' })).status).toBe(400);
    expect((await all())[0]).toMatchObject({ window: 'daily', amount: 100 });
    const read = await managed('get', `/limits/${id}`);
    const change = (amount: number): Promise<Answer> =>
      app.api.patch(`/limits/${id}`, {
        key: organization.managementKey,
        json: { amount },
        headers: { 'if-match': read.headers.get('etag')! },
      });
    expect((await change(7)).status).toBe(200);
    expect((await change(8)).status).toBe(412);
    expect((await all())[0]).toMatchObject({ amount: 7 });
  });

  it.each([
    ['values of another key', { values: { session: 'a' }, amount: 1 }, 'values'],
    ['values of more keys', { values: { user: 'a', session: 'b' }, amount: 1 }, 'values'],
    ['no values', { values: {}, amount: 1 }, 'values'],
    ['a value that is no text', { values: { user: 7 }, amount: 1 }, 'values.user'],
    ['half a request', { values: { user: 'a' }, amount: 0.5 }, 'amount'],
    ['an end in the past', { values: { user: 'a' }, amount: 1, until: '2020-01-01T00:00:00Z' }, 'until'],
  ])('answer 400 to an exception with %s', async (_, exception, path) => {
    const id = await newLimit(app, organization);
    const { status, body } = await managed('post', `/limits/${id}/exceptions`, exception);
    expect(status).toBe(400);
    const { issues } = (body as { error: { metadata: { issues: { path: string }[] } } }).error.metadata;
    expect(issues.every((issue) => issue.path.startsWith(path))).toBe(true);
    expect((await managed<{ data: unknown[] }>('get', `/limits/${id}/exceptions`)).body.data).toEqual([]);
  });

  it('answer 409 to a second exception for the same values, and 200 without it once it is deleted', async () => {
    const id = await newLimit(app, organization);
    const exception = { values: { user: 'ada' }, amount: 500 };
    const made = await newLimitException(app, organization, id, exception);
    expect((await managed('post', `/limits/${id}/exceptions`, exception)).status).toBe(409);
    expect((await managed('delete', `/limits/${id}/exceptions/${made}`)).status).toBe(200);
    const left = await managed<{ data: LimitException[] }>('get', `/limits/${id}/exceptions`);
    expect(left.body.data).toEqual([]);
    expect((await managed('delete', `/limits/${id}/exceptions/${made}`)).status).toBe(404);
  });

  it('list 200 pages of what 100,000 end users have used, the largest first', async () => {
    const id = await newLimit(app, organization, { measure: 'usd', window: 'monthly' });
    await app.rows(
      `INSERT INTO limit_counters (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount,
         reserved, reserved_with_byok, last_used_at)
       SELECT $1, $2::uuid, 'user ' || number, date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC',
         jsonb_build_object('user', 'user ' || number), gen_random_uuid(), number, 0, 0, 0, now()
       FROM generate_series(1, 100000) AS number`,
      [organization.organizationId, id],
    );
    const usage = await managed<{ data: LimitUse[]; total_count: number }>(
      'get',
      `/limits/${id}/usage?limit=2&offset=1`,
    );
    expect(usage).toMatchObject({
      status: 200,
      body: {
        total_count: 100_000,
        data: [
          { values: { user: 'user 99999' }, used: 99_999, amount: 100, left: 0 },
          { values: { user: 'user 99998' }, used: 99_998 },
        ],
      },
    });
  });
});
