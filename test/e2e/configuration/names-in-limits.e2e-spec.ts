import { configurationInterface } from './configuration-interface.js';

const LIMIT = { name: 'Agents', measure: 'usd', amount: 5, window: 'daily' };
const AT = 'files[0].documents[0].limits[0]';

interface StoredLimit {
  readonly id: string;
  readonly conditions: readonly object[];
}

interface Shown<Data> {
  readonly data: Data;
}

/** Values of limits that are ids for the interface, and names in files. */
describe('the names in limits of files', () => {
  const files = configurationInterface();
  const { app, organization, apply, plan, send } = files;

  const addressOf = async (): Promise<string> => {
    const [user] = await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [organization.userId]);
    return user!.email;
  };
  const created = async <Data>(path: string, json: object): Promise<Data> =>
    (await send<Shown<Data>>('POST', path, json)).body.data;
  const limits = async (): Promise<StoredLimit[]> => (await send<Shown<StoredLimit[]>>('GET', '/limits')).body.data;
  const exported = async (): Promise<{ limits: object[] }> =>
    (await send<Shown<{ document: { limits: object[] } }>>('GET', '/configuration/export?owner=platform')).body.data
      .document;

  /** Each kind of name, of objects that the same file makes. */
  const everything = (address: string): object => ({
    workspaces: [{ slug: 'production', name: 'Production' }],
    keys: [{ name: 'ci', workspace: 'production' }, { name: 'nightly' }],
    limits: [
      {
        ...LIMIT,
        group_by: ['api_key', 'workspace', 'member', 'user'],
        conditions: [
          { key: 'api_key', values: ['ci', { workspace: 'default', name: 'nightly' }] },
          { key: 'workspace', values: '*', excludes: ['production'] },
          { key: 'member', values: [address] },
          { key: 'user', values: ['ci'] },
        ],
        exceptions: [
          { values: { api_key: 'ci', workspace: 'production', member: address, user: 'ci' }, amount: 50, until: null },
        ],
      },
    ],
  });

  it('are ids in the interface (200), of objects that the same file makes, and names in an export', async () => {
    const address = await addressOf();
    const file = everything(address);
    expect((await apply(file)).status).toBe(200);

    const keys = (await send<Shown<{ name: string; hash: string }[]>>('GET', '/keys')).body.data;
    const hashOf = (name: string): string => keys.find((key) => key.name === name)!.hash;
    const { id: workspaceId } = (await send<Shown<{ id: string }>>('GET', '/workspaces/production')).body.data;
    const [limit] = await limits();
    expect(limit!.conditions).toEqual([
      { key: 'api_key', values: [hashOf('ci'), hashOf('nightly')] },
      { key: 'workspace', values: '*', excludes: [workspaceId] },
      { key: 'member', values: [organization.userId] },
      { key: 'user', values: ['ci'] },
    ]);
    const exceptions = await send<Shown<object[]>>('GET', `/limits/${limit!.id}/exceptions`);
    expect(exceptions.body.data).toMatchObject([
      { values: { api_key: hashOf('ci'), workspace: workspaceId, member: organization.userId, user: 'ci' } },
    ]);

    expect((await plan(file)).body.data.changes).toEqual([]);
    const document = await exported();
    expect(document.limits).toMatchObject([
      {
        conditions: [
          { key: 'api_key', values: ['ci', 'nightly'] },
          { key: 'workspace', values: '*', excludes: ['production'] },
          { key: 'member', values: [address] },
          { key: 'user', values: ['ci'] },
        ],
        exceptions: [{ values: { api_key: 'ci', workspace: 'production', member: address, user: 'ci' }, amount: 50 }],
      },
    ]);
    expect((await plan(document)).body.data.changes).toEqual([]);
  });

  it('are what a plan shows (200) of a change', async () => {
    const keys = [{ name: 'ci' }, { name: 'nightly' }];
    const about = (name: string): object => ({
      keys,
      limits: [
        {
          ...LIMIT,
          group_by: ['api_key'],
          conditions: [{ key: 'api_key', values: [name] }],
          exceptions: [{ values: { api_key: name }, amount: 9, until: null }],
        },
      ],
    });
    await apply(about('ci'));
    const { body } = await plan(about('nightly'));
    expect(body.data.changes.map(({ fields }) => fields)).toEqual([
      [
        {
          field: 'conditions',
          before: [{ key: 'api_key', values: ['ci'] }],
          after: [{ key: 'api_key', values: ['nightly'] }],
        },
        {
          field: 'exceptions',
          before: [{ values: { api_key: 'ci' }, amount: 9, until: null }],
          after: [{ values: { api_key: 'nightly' }, amount: 9, until: null }],
        },
      ],
    ]);
    expect((await apply(about('nightly'))).status).toBe(200);
    expect((await plan(about('nightly'))).body.data.changes).toEqual([]);
  });

  it.each([
    [
      'a key in values',
      { conditions: [{ key: 'api_key', values: ['one', 'gone'] }] },
      'conditions[0].values[1]',
      'keys',
    ],
    [
      'a workspace in excludes',
      { conditions: [{ key: 'workspace', values: '*', excludes: ['gone'] }] },
      'conditions[0].excludes[0]',
      'workspaces',
    ],
    [
      'a member in values',
      { conditions: [{ key: 'member', values: ['gone@example.com'] }] },
      'conditions[0].values[0]',
      'members',
    ],
    [
      'a key of an exception',
      { group_by: ['api_key'], exceptions: [{ values: { api_key: 'gone' }, amount: 9 }] },
      'exceptions[0].values.api_key',
      'keys',
    ],
  ])('of no object are a 400 with the path: %s', async (_, fields, path, section) => {
    const lists = { keys: [{ name: 'one' }], limits: [{ ...LIMIT, ...fields }] };
    for (const answer of [await plan(lists), await apply(lists)]) {
      expect([answer.status, answer.body.error.metadata]).toMatchObject([
        400,
        { reason: 'unknown_reference', issues: [{ path: `${AT}.${path}`, message: `names none of ${section}` }] },
      ]);
    }
  });

  it('of two objects are a 400 with both ids, also where the limit was applied (200) for one of them', async () => {
    const first = await created<{ hash: string }>('/keys', { name: 'twin' });
    const lists = { limits: [{ ...LIMIT, conditions: [{ key: 'api_key', values: ['twin'] }] }] };
    expect((await apply(lists)).status).toBe(200);
    const second = await created<{ hash: string }>('/keys', { name: 'twin' });
    const { status, body } = await plan(lists);
    expect([status, body.error.metadata.issues]).toMatchObject([400, [{ path: `${AT}.conditions[0].values[0]` }]]);
    for (const { hash } of [first, second]) expect(body.error.metadata.issues[0]!.message).toContain(hash);
  });

  it('leave ids of former exports as they are (200), and are asked for with 400 where these are new', async () => {
    const { hash } = await created<{ hash: string }>('/keys', { name: 'ci' });
    const own = {
      ...LIMIT,
      group_by: ['api_key'],
      exceptions: [{ values: { api_key: 'ci' }, amount: 9, until: null }],
    };
    const ofFormer = { ...own, conditions: [{ key: 'api_key', values: [hash] }] };
    const exceptions = [{ values: { api_key: hash }, amount: 9, until: null }];
    await apply({ limits: [{ ...own, conditions: [{ key: 'api_key', values: ['ci'] }] }] });
    const kept = await plan({ limits: [{ ...ofFormer, exceptions }] });
    expect([kept.status, kept.body.data]).toMatchObject([200, { changes: [], unchanged: 1 }]);

    const { status, body } = await plan({ limits: [{ ...ofFormer, name: 'New' }] });
    expect([status, body.error.metadata.issues]).toEqual([
      400,
      [{ path: `${AT}.conditions[0].values[0]`, message: 'names none of keys: files have names in place of ids' }],
    ]);
  });

  it('leave the hash of a key that is gone in exports, which change nothing (200)', async () => {
    const { hash } = await created<{ hash: string }>('/keys', { name: 'gone' });
    const exceptions = [{ values: { api_key: 'gone' }, amount: 9 }];
    await apply({
      limits: [{ ...LIMIT, group_by: ['api_key'], conditions: [{ key: 'api_key', values: ['gone'] }], exceptions }],
    });
    expect((await send('DELETE', `/keys/${hash}`)).status).toBe(200);
    const document = await exported();
    expect(document.limits).toMatchObject([
      { conditions: [{ values: [hash] }], exceptions: [{ values: { api_key: hash } }] },
    ]);
    const { status, body } = await plan(document);
    expect([status, body.data]).toMatchObject([200, { changes: [] }]);
  });

  it.each([
    [
      'a number',
      { key: 'api_key', values: [7] },
      'conditions[0].values[0]',
      'must be a name, or {workspace: SLUG, name: NAME}',
    ],
    [
      'null',
      { key: 'member', values: [null] },
      'conditions[0].values[0]',
      'must be a name, or {workspace: SLUG, name: NAME}',
    ],
    [
      'a name with more',
      { key: 'api_key', values: '*', excludes: [{ workspace: 'default', name: 'a', id: 'b' }] },
      'conditions[0].excludes[0]',
      'must be a name, or {workspace: SLUG, name: NAME}',
    ],
    [
      'an object where none is named',
      { key: 'user', values: [{ workspace: 'default', name: 'a' }] },
      'conditions[0].values[0]',
      'must be a text of 1 to 256 characters',
    ],
    [
      'a name that is wanted and excluded',
      { key: 'api_key', values: ['a'], excludes: ['a'] },
      'conditions[0].excludes',
      'names what values names: it contradicts them',
    ],
    [
      'another workspace than that of the limit',
      { key: 'workspace', values: ['other'] },
      'conditions[0].values',
      'contradicts workspace_id',
    ],
  ])('of a wrong form are a 400: %s', async (_, condition, path, message) => {
    const { status, body } = await plan({
      workspaces: [{ slug: 'other', name: 'Other' }],
      limits: [{ ...LIMIT, workspace: 'default', conditions: [condition] }],
    });
    expect([status, body.error.metadata.issues]).toEqual([400, [{ path: `${AT}.${path}`, message }]]);
  });

  it('of one object by two words contradict each other with 400', async () => {
    const excludes = [{ workspace: 'default', name: 'a' }];
    const { status, body } = await plan({
      keys: [{ name: 'a' }],
      limits: [{ ...LIMIT, conditions: [{ key: 'api_key', values: ['a'], excludes }] }],
    });
    expect([status, body.error.metadata.issues]).toMatchObject([400, [{ path: `${AT}.conditions[0].excludes` }]]);
  });

  it('may be that of the workspace of the limit: 200', async () => {
    const conditions = [{ key: 'workspace', values: ['default'] }];
    const answer = await apply({ limits: [{ ...LIMIT, workspace: 'default', conditions }] });
    expect(answer.status).toBe(200);
  });
});
