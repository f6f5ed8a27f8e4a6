import { PERMISSIONS } from '../../../src/auth/permissions.js';
import type { PlannedChange } from '../../../src/modules/configuration/plan/configuration-plan.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { configurationInterface, type Refused } from './configuration-interface.js';

const EVERYTHING = {
  workspaces: [{ slug: 'production', name: 'Production', budgets: { monthly: 5_000, daily: 300 } }],
  default_guardrails: [{ workspace: 'production', ignored_models: ['gatehouse/echo-image'] }],
  inspectors: [{ name: 'Guard', url: 'https://guard.example.com', api_key: { env: 'GUARD_KEY' } }],
  guardrails: [
    {
      name: 'Checkout',
      workspace: 'production',
      allowed_models: ['gatehouse/echo'],
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
      inspectors: ['Guard'],
      assigned_keys: ['checkout-ci'],
    },
  ],
  keys: [{ name: 'checkout-ci', workspace: 'production', limit: 10 }],
  limits: [
    {
      name: 'Agents',
      workspace: 'production',
      measure: 'usd',
      amount: 5,
      window: 'daily',
      group_by: ['user'],
      exceptions: [{ values: { user: 'customer-7' }, amount: 50 }],
    },
  ],
  presets: [{ slug: 'support', workspace: 'production', config: { model: 'gatehouse/echo', temperature: 0.2 } }],
  destinations: [
    {
      name: 'Hook',
      workspace: 'production',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/gatehouse' },
      api_keys: ['checkout-ci'],
    },
  ],
  alerts: [{ name: 'Budget', kind: 'budget', limit: 'Agents', destination: { workspace: 'production', name: 'Hook' } }],
};

const SECRETS = { secrets: { 'env:GUARD_KEY': 'guard-key-0123456789' } };

const FIRST_CHANGES = [
  'create workspaces production',
  'create inspectors Guard',
  'create keys checkout-ci',
  'create guardrails Checkout',
  'create default_guardrails default',
  'create limits Agents',
  'create presets support',
  'create destinations Hook',
  'create alerts Budget',
];

describe('applyConfiguration', () => {
  const { app, organization, plan, apply, send } = configurationInterface();

  beforeAll(() => app.factory.starterCatalog());

  it('answers 200 with what it has created, and the next time that nothing is left to do', async () => {
    const planned = await plan(EVERYTHING, SECRETS);
    expect(planned.body.data).toMatchObject({ owner: 'platform', conflicts: [], missing_permissions: [] });
    expect(changesOf(planned.body.data)).toEqual(FIRST_CHANGES);
    expect(await app.rows('SELECT FROM workspaces WHERE slug = $1', ['production'])).toEqual([]);

    const first = await apply(EVERYTHING, { ...SECRETS, plan_id: planned.body.data.id, revision: '3f8a1c2' });
    expect(first.body.data).toMatchObject({ was_applied: false, id: planned.body.data.id });
    expect(changesOf(first.body.data)).toEqual(FIRST_CHANGES);
    expect(first.body.data.new_keys).toEqual([
      { workspace: 'production', name: 'checkout-ci', key: expect.stringMatching(/^sk-gate-v2-/) as string },
    ]);
    const events = await eventsOf();

    expect((await plan(EVERYTHING, SECRETS)).body.data).toMatchObject({ changes: [], unchanged: 9 });
    expect((await apply(EVERYTHING, SECRETS)).body.data).toMatchObject({ changes: [], unchanged: 9 });
    expect(await eventsOf()).toEqual(events);
  });

  it('answers 200 and does nothing for a plan that was applied already', async () => {
    const planned = await plan(EVERYTHING, SECRETS);
    const options = { ...SECRETS, plan_id: planned.body.data.id };
    await apply(EVERYTHING, options);
    const events = await eventsOf();
    expect((await apply(EVERYTHING, options)).body.data).toMatchObject({
      was_applied: true,
      changes: [],
      new_keys: [],
    });
    expect(await eventsOf()).toEqual(events);
  });

  it('says (200) whether spend with own provider keys counts toward budgets of a workspace, also before there are any', async () => {
    const workspace = { slug: 'team', name: 'Team', include_byok_in_budgets: true };
    const includes = async (): Promise<boolean> =>
      (await send<{ include_byok_in_budgets: boolean }>('GET', '/workspaces/team/budgets')).body
        .include_byok_in_budgets;
    expect((await apply({ workspaces: [workspace] })).status).toBe(200);
    expect(await includes()).toBe(true);
    const budgets = { daily: 5 };
    expect((await apply({ workspaces: [{ slug: 'team', name: 'Team', budgets }] })).status).toBe(200);
    expect(await includes()).toBe(true);
    const { body } = await apply({ workspaces: [{ ...workspace, budgets, include_byok_in_budgets: false }] });
    expect(body.data.changes).toMatchObject([
      { action: 'update', fields: [{ field: 'include_byok_in_budgets', before: true, after: false }] },
    ]);
    expect(await includes()).toBe(false);
    expect((await apply({ workspaces: [{ ...workspace, include_byok_in_budgets: null }] })).status).toBe(400);
  });

  it('makes what files name, and records each change with its file', async () => {
    await apply(EVERYTHING, { ...SECRETS, revision: '3f8a1c2' });
    const { body: managed } = await send<{ data: { section: string; id: string }[] }>('GET', '/configuration/objects');
    const { id } = managed.data.find(({ section }) => section === 'guardrails')!;
    const { body: guardrail } = await send<{ data: { id: string; inspector_ids: string[] } }>(
      'GET',
      `/guardrails/${id}`,
    );
    const checkout = guardrail.data;
    const { body: inspectors } = await send<{ data: { id: string }[] }>('GET', '/inspectors');
    expect(checkout.inspector_ids).toEqual([inspectors.data[0]!.id]);
    const { body: assigned } = await send<{ data: { key_name: string }[] }>(
      'GET',
      `/guardrails/${checkout.id}/assignments/keys`,
    );
    expect(assigned.data).toMatchObject([{ key_name: 'checkout-ci' }]);
    const { body: budgets } = await send<{ data: { limit_usd: number; reset_interval: string }[] }>(
      'GET',
      '/workspaces/production/budgets',
    );
    expect(budgets.data.map((one) => [one.reset_interval, one.limit_usd]).sort()).toEqual([
      ['daily', 300],
      ['monthly', 5_000],
    ]);
    const [event] = await auditEventsOf(app, checkout.id);
    expect(event).toMatchObject({
      action: 'guardrail.create',
      changes: {
        configuration: { after: { owner: 'platform', plan: null, revision: '3f8a1c2', file: 'gatehouse.yaml' } },
      },
    });
  });

  it('leaves what a file does not say as it is, and clears what it says is null', async () => {
    const guardrail = { name: 'Checkout', allowed_models: ['gatehouse/echo'], limit_usd: 5, reset_interval: 'daily' };
    await apply({ guardrails: [guardrail] });
    const { body } = await apply({ guardrails: [{ name: 'Checkout', allowed_models: null }] });
    expect(body.data.changes).toMatchObject([
      { action: 'update', fields: [{ field: 'allowed_models', before: ['gatehouse/echo-1'], after: null }] },
    ]);
    const listed = await send<{ data: object[] }>('GET', '/guardrails');
    expect(listed.body.data).toMatchObject([{ allowed_models: null, limit_usd: 5, reset_interval: 'daily' }]);
  });

  it('answers 409 for an object that was made by other means, and takes it over when it is told to adopt', async () => {
    await send('POST', '/guardrails', { name: 'Checkout' });
    const { status, body } = await apply({ guardrails: [{ name: 'Checkout' }] });
    expect(status).toBe(409);
    expect(body.error.metadata).toMatchObject({
      reason: 'configuration_conflicts',
      conflicts: [{ name: 'Checkout', reason: 'not_managed' }],
    });
    const adopted = await apply({ guardrails: [{ name: 'Checkout', description: 'Ours' }] }, { adopt: true });
    expect(adopted.body.data.changes).toMatchObject([{ action: 'update', name: 'Checkout' }]);
    expect((await send<{ data: object[] }>('GET', '/configuration/objects')).body.data).toMatchObject([
      { section: 'guardrails', name: 'Checkout', owner: 'platform', file: 'gatehouse.yaml', drifted_at: null },
    ]);
  });

  it('answers 409 for an object of another owner, also when it is told to adopt', async () => {
    await apply({ owner: 'billing', guardrails: [{ name: 'Checkout' }] });
    const { status, body } = await apply({ guardrails: [{ name: 'Checkout' }] }, { adopt: true });
    expect({ status, conflicts: body.error.metadata.conflicts }).toMatchObject({
      status: 409,
      conflicts: [{ reason: 'other_owner', name: 'Checkout' }],
    });
  });

  it('deletes only objects of the owner that no file has any more, and only with prune', async () => {
    await apply({ owner: 'billing', guardrails: [{ name: 'Theirs' }] });
    await apply({ guardrails: [{ name: 'One' }, { name: 'Two' }] });
    expect((await apply({ guardrails: [{ name: 'One' }] })).body.data.changes).toEqual([]);
    const { body } = await apply({ guardrails: [{ name: 'One' }] }, { prune: true });
    expect(changesOf(body.data)).toEqual(['delete guardrails Two']);
    const listed = await send<{ data: { name: string }[] }>('GET', '/guardrails');
    expect(listed.body.data.map(({ name }) => name)).toEqual(['Theirs', 'One']);
  });

  it('answers 409 for a guardrail that is still assigned, and deletes it with cascade', async () => {
    await apply({ guardrails: [{ name: 'One', assigned_keys: ['ci'] }], keys: [{ name: 'ci' }] });
    const refused = await apply({ keys: [{ name: 'ci' }] }, { prune: true });
    expect(refused.status).toBe(409);
    expect(refused.body.error.metadata.conflicts).toMatchObject([
      { reason: 'has_dependents', name: 'One', detail: '1 keys that it is assigned to' },
    ]);
    const { body } = await apply({ keys: [{ name: 'ci' }] }, { prune: true, cascade: true });
    expect(changesOf(body.data)).toEqual(['delete guardrails One']);
  });

  it('deletes (200) a guardrail with the keys that it is assigned to, without cascade', async () => {
    await apply({ guardrails: [{ name: 'One', assigned_keys: ['ci'] }], keys: [{ name: 'ci' }] });
    const { status, body } = await apply({ guardrails: [] }, { prune: true });
    expect([status, changesOf(body.data)]).toEqual([200, ['delete guardrails One', 'delete keys ci']]);
  });

  it('answers 400 for a key of two guardrails, and a member of two of one workspace', async () => {
    const [owner] = await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [organization.userId]);
    const members = { assigned_members: [owner!.email] };
    const files = {
      workspaces: [{ slug: 'team', name: 'Team' }],
      keys: [{ name: 'ci' }, { name: 'nightly' }],
      guardrails: [
        { name: 'One', assigned_keys: ['ci', 'ci'], ...members },
        { name: 'Two', assigned_keys: ['nightly', { workspace: 'default', name: 'ci' }] },
        { name: 'Other', workspace: 'team', ...members },
      ],
    };
    const twice = [...files.guardrails, { name: 'Three', ...members }];
    const { keys, workspaces } = files;
    expect((await apply({ keys, workspaces })).status).toBe(200);
    const refused = await plan({ keys, workspaces, guardrails: twice });
    expect(refused.status).toBe(400);
    const message = 'is also of guardrail One, and can be of one alone';
    expect(refused.body.error.metadata.issues).toEqual([
      { path: 'files[0].documents[0].guardrails[1].assigned_keys[1]', message },
      { path: 'files[0].documents[0].guardrails[3].assigned_members[0]', message },
    ]);
    const once = files.guardrails.filter(({ name }) => name !== 'Two');
    expect((await apply({ keys, workspaces, guardrails: once })).status).toBe(200);
  });

  describe('answers 409 for what others name or are in, and deletes it with cascade', () => {
    const named = { name: 'Few', measure: 'requests', window: 'daily', amount: 5 };
    const destination = { name: 'Hook', type: 'webhook', config: { url: 'https://hooks.example.com' } };

    it.each([
      {
        title: 'a key that a condition names',
        gone: { keys: [{ name: 'ci' }] },
        staying: { limits: [{ ...named, conditions: [{ key: 'api_key', values: ['ci'] }] }] },
        details: ['limit Few (conditions), which names it'],
      },
      {
        title: 'a workspace that conditions and exceptions name',
        gone: { workspaces: [{ slug: 'team', name: 'Team' }] },
        staying: {
          limits: [
            { ...named, conditions: [{ key: 'workspace', values: '*', excludes: ['team'] }], group_by: ['workspace'] },
            {
              ...named,
              name: 'Many',
              group_by: ['workspace'],
              exceptions: [{ values: { workspace: 'team' }, amount: 9 }],
            },
          ],
        },
        details: ['limit Few (conditions), which names it; limit Many (exceptions), which names it'],
      },
      {
        title: 'an inspector of a guardrail',
        gone: { inspectors: [{ name: 'Guard', url: 'https://guard.example.com', api_key: null }] },
        staying: { guardrails: [{ name: 'Checkout', inspectors: ['Guard'] }] },
        details: ['guardrail Checkout (inspectors), which names it'],
      },
      {
        title: 'a destination of an alert',
        gone: { destinations: [destination] },
        staying: { alerts: [{ name: 'Near', kind: 'budget', destination: 'Hook' }] },
        details: ['alert Near (destination), which names it'],
      },
    ])('$title', async ({ gone, staying, details }) => {
      expect((await apply({ ...gone, ...staying })).status).toBe(200);
      const { body } = await plan(staying, { prune: true });
      expect(body).toMatchObject({ data: { conflicts: details.map((detail) => ({ detail })) } });
      expect((await apply(staying, { prune: true })).status).toBe(409);
      // What goes too, or names it no more, loses nothing.
      expect((await plan({ owner: 'platform' }, { prune: true })).body.data.conflicts).toEqual([]);
    });

    it('a key that a limit names which was made by other means, or will name', async () => {
      await apply({ keys: [{ name: 'ci' }] });
      const [key] = (await send<{ data: { hash: string }[] }>('GET', '/keys')).body.data;
      const condition = (value: string): object => ({ ...named, conditions: [{ key: 'api_key', values: [value] }] });
      await send('POST', '/limits', { ...condition(key!.hash), name: 'Theirs' });
      const lists = { limits: [{ ...condition('ci'), name: 'Ours' }] };
      const conflicts = [
        { detail: 'limit Theirs (conditions), which names it; limit Ours (conditions), which names it' },
      ];
      expect(await plan(lists, { prune: true })).toMatchObject({ body: { data: { conflicts } } });
      const { body } = await apply({ guardrails: [] }, { prune: true, cascade: true });
      expect(changesOf(body.data)).toEqual(['delete keys ci']);
    });

    it('a workspace with objects of others in it, of every kind, of which it names some', async () => {
      await apply({ workspaces: [{ slug: 'team', name: 'Team' }] });
      const { id } = (await send<{ data: { id: string } }>('GET', '/workspaces/team')).body.data;
      for (let index = 10; index < 32; index += 1)
        await send('POST', '/keys', { name: `key ${index}`, workspace_id: id });
      await send('POST', '/limits', { ...named, workspace_id: id });
      await send('POST', '/observability/destinations', { ...destination, workspace_id: id });
      const { body } = await plan({ guardrails: [] }, { prune: true });
      const listed = body.data.conflicts[0]!.detail.split('; ');
      expect(listed).toHaveLength(23);
      expect(listed.slice(19)).toEqual(['key key 29', '2 more of keys', 'limit Few', 'destination Hook']);
    });

    it('a workspace, but with 200 where it goes with its default guardrail and its presets', async () => {
      const lists = {
        workspaces: [{ slug: 'team', name: 'Team' }],
        default_guardrails: [{ workspace: 'team', enforce_zdr: true }],
        presets: [{ slug: 'brief', workspace: 'team', config: { model: 'gatehouse/echo' } }],
      };
      expect((await apply(lists)).status).toBe(200);
      const { body } = await apply({ guardrails: [] }, { prune: true });
      expect(changesOf(body.data).sort()).toEqual([
        'delete workspaces team',
        'release default_guardrails default',
        'release presets brief',
      ]);
    });
  });

  it('answers 200 when it deletes more keys at once than single requests may', async () => {
    const names = Array.from({ length: 70 }, (_, index) => ({ name: `key ${index}` }));
    await apply({ keys: names });
    const { status, body } = await apply({ guardrails: [] }, { prune: true });
    expect({ status, count: body.data.changes.length }).toEqual({ status: 200, count: 70 });
  });

  it('renames an object that says what it was called', async () => {
    await apply({ guardrails: [{ name: 'One' }] });
    const { body } = await apply({ guardrails: [{ name: 'Two', renamed_from: 'One' }] }, { prune: true });
    expect(body.data.changes).toMatchObject([
      { action: 'update', name: 'Two', fields: [{ field: 'name', before: 'One', after: 'Two' }] },
    ]);
    expect(
      (await plan({ guardrails: [{ name: 'Two', renamed_from: 'One' }] }, { prune: true })).body.data,
    ).toMatchObject({
      changes: [],
      unchanged: 1,
    });
  });

  it('answers 400 with both ids for a name that two objects have', async () => {
    const first = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Twin' });
    const second = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Twin' });
    const { status, body } = await apply({ guardrails: [{ name: 'Twin' }] }, { adopt: true });
    expect(status).toBe(400);
    expect(body.error.metadata.issues).toEqual([
      {
        path: 'files[0].documents[0].guardrails[0]',
        message: `has a name that several objects have: ${first.body.data.id} and ${second.body.data.id}`,
      },
    ]);
  });

  it('answers 400 and changes nothing for one wrong line among many', async () => {
    const lists = { guardrails: [{ name: 'One' }, { name: 'Two', allowed_models: ['acme/none'] }, { name: 'Three' }] };
    const { status, body } = await apply(lists);
    expect(status).toBe(400);
    expect(body.error.metadata).toMatchObject({
      reason: 'unknown_model',
      issues: [{ path: 'files[0].documents[0].guardrails[1].allowed_models[0]' }],
    });
    expect((await send<{ data: object[] }>('GET', '/guardrails')).body.data).toEqual([]);
  });

  it('answers 400 for a secret without a value, before anything is changed', async () => {
    const { status, body } = await apply(EVERYTHING);
    expect(status).toBe(400);
    expect(body.error.metadata).toMatchObject({
      reason: 'secret_missing',
      issues: [{ path: 'files[0].documents[0].inspectors[0].api_key', message: 'has no value for env:GUARD_KEY' }],
    });
    expect(
      await app.rows('SELECT FROM managed_objects WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
  });

  it('applies a secret that is another one at its source, and shows digests of it alone', async () => {
    const lists = { inspectors: EVERYTHING.inspectors };
    await apply(lists, SECRETS);
    const changed = { secrets: { 'env:GUARD_KEY': 'guard-key-9876543210' } };
    const planned = await plan(lists, changed);
    expect(planned.body.data.changes).toMatchObject([
      {
        action: 'update',
        fields: [
          {
            field: 'api_key',
            before: expect.stringMatching(/^hmac-sha256:/) as string,
            after: expect.stringMatching(/^hmac-sha256:/) as string,
          },
        ],
      },
    ]);
    expect(JSON.stringify(planned.body)).not.toContain('guard-key-9876543210');
    await apply(lists, changed);
    expect((await send<{ data: object[] }>('GET', '/inspectors')).body.data).toMatchObject([
      { api_key: 'guar...3210' },
    ]);
    expect((await plan(lists, changed)).body.data.changes).toEqual([]);
    expect(JSON.stringify(await app.rows('SELECT changes FROM audit_events'))).not.toContain('guard-key-9876543210');
  });

  it('answers 409 where something has changed since the plan, and changes nothing', async () => {
    await apply({ guardrails: [{ name: 'One', limit_usd: 5, reset_interval: 'daily' }] });
    const lists = { guardrails: [{ name: 'One', limit_usd: 9, reset_interval: 'daily' }, { name: 'Two' }] };
    const planned = await plan(lists);
    const listed = await send<{ data: { id: string }[] }>('GET', '/guardrails');
    await send('PATCH', `/guardrails/${listed.body.data[0]!.id}?override=true`, { description: 'At night' });
    const { status, body } = await apply(lists, { plan_id: planned.body.data.id });
    expect({ status, reason: body.error.metadata.reason }).toEqual({ status: 409, reason: 'configuration_changed' });
    expect((await send<{ data: object[] }>('GET', '/guardrails')).body.data).toMatchObject([{ limit_usd: 5 }]);
  });

  it('answers 403 with all permissions that are missing at once, and changes nothing', async () => {
    const { plaintext: key } = await app.factory.key(organization, {
      kind: 'management_key',
      scopes: ['guardrails_read', 'workspaces_write', 'limits_read', 'keys_read'],
    });
    const lists = { guardrails: [{ name: 'One' }], limits: EVERYTHING.limits, workspaces: EVERYTHING.workspaces };
    const planned = await plan(lists, {}, key);
    expect(planned.body.data.missing_permissions).toEqual(['guardrails_write', 'limits_write']);
    const { status, body } = await apply(lists, {}, key);
    expect({ status, required: body.error.metadata.required }).toEqual({
      status: 403,
      required: ['guardrails_write', 'limits_write'],
    });
    expect((await send<{ data: object[] }>('GET', '/guardrails')).body.data).toEqual([]);
  });

  it('answers 403 without all permissions for what says who a person is', async () => {
    const lists = { sign_in_connections: [{ name: 'Okta', issuer: 'https://example.okta.com', client_id: 'c1' }] };
    const { plaintext: key } = await app.factory.key(organization, {
      kind: 'management_key',
      scopes: ['sign_in_write'],
    });
    expect((await apply(lists, {}, key)).status).toBe(403);
    expect((await plan(lists)).body.data.required_permissions).toHaveLength(PERMISSIONS.length);
  });

  it('answers 403 to exports without the permissions to read everything, and to the key of a member', async () => {
    const { plaintext: key } = await app.factory.key(organization, {
      kind: 'management_key',
      scopes: ['guardrails_write'],
    });
    const refused = await app.api.send<Refused>('GET', '/configuration/export', { key });
    expect(refused.status).toBe(403);
    expect(refused.body.error.metadata.required).toContain('keys_read');
    const userId = await app.factory.member(organization.organizationId);
    const { plaintext: theirs } = await app.factory.key(organization, { kind: 'management_key', userId });
    for (const path of ['/configuration/export', '/configuration/objects']) {
      const answer = await app.api.send<Refused>('GET', path, { key: theirs });
      expect([answer.status, answer.body.error.metadata.reason]).toEqual([403, 'administrator_required']);
    }
    expect((await plan({ keys: [{ name: 'mine' }] }, {}, theirs)).status).toBe(403);
  });

  const eventsOf = (): Promise<object[]> =>
    app.rows('SELECT action, target_id FROM audit_events WHERE organization_id = $1 ORDER BY id', [
      organization.organizationId,
    ]);
});

function changesOf({ changes }: { readonly changes: readonly PlannedChange[] }): string[] {
  return changes.map(({ action, section, name }) => `${action} ${section} ${name}`);
}
