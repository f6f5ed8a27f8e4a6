import { configurationInterface } from './configuration-interface.js';

/** Changes of objects that files configure, by what is changed. */
const CHANGES = [
  { name: 'PATCH of the object', method: 'PATCH', below: '', json: { description: 'By hand' } },
  { name: 'DELETE of it', method: 'DELETE', below: '', json: undefined },
  {
    name: 'POST of assignments',
    method: 'POST',
    below: '/assignments/keys/remove',
    json: { key_hashes: ['0'.repeat(64)] },
  },
];

describe('an object that files configure', () => {
  const { app, organization, apply, send } = configurationInterface();

  const guardrailId = async (): Promise<string> => {
    await apply({ guardrails: [{ name: 'Checkout' }] });
    const { body } = await send<{ data: { id: string }[] }>('GET', '/configuration/objects');
    return body.data[0]!.id;
  };

  it.each(CHANGES)(
    'answers 409 for a $name without override=true, and is not changed',
    async ({ method, below, json }) => {
      const id = await guardrailId();
      const { status, body } = await send<{ error: { metadata: object } }>(method, `/guardrails/${id}${below}`, json);
      expect({ status, metadata: body.error.metadata }).toEqual({
        status: 409,
        metadata: { reason: 'object_managed_by_files', owner: 'platform' },
      });
      expect((await send<{ data: object }>('GET', `/guardrails/${id}`)).body.data).toMatchObject({ description: null });
    },
  );

  it('answers 200 to a change with override=true, has drifted then, and is corrected by its files', async () => {
    const id = await guardrailId();
    const named = { name: 'Checkout', description: 'Ours' };
    await apply({ guardrails: [named] });
    const changed = await send('PATCH', `/guardrails/${id}?override=true`, { description: 'By hand' });
    expect(changed.status).toBe(200);
    const drifted = (await send<{ data: { drifted_at: string }[] }>('GET', '/configuration/objects')).body.data[0]!;
    expect(drifted.drifted_at).not.toBeNull();
    const { body } = await apply({ guardrails: [named] });
    expect(body.data.changes).toMatchObject([
      { action: 'update', fields: [{ field: 'description', before: 'By hand', after: 'Ours' }] },
    ]);
    expect((await send<{ data: object[] }>('GET', '/configuration/objects')).body.data).toMatchObject([
      { drifted_at: null },
    ]);
  });

  it('is no longer drifted when it was changed back by hand, once its files are applied', async () => {
    const id = await guardrailId();
    await apply({ guardrails: [{ name: 'Checkout', description: 'Ours' }] });
    await send('PATCH', `/guardrails/${id}?override=true`, { description: 'By hand' });
    await send('PATCH', `/guardrails/${id}?override=true`, { description: 'Ours' });
    expect((await apply({ guardrails: [{ name: 'Checkout', description: 'Ours' }] })).body.data.changes).toEqual([]);
    expect((await send<{ data: object[] }>('GET', '/configuration/objects')).body.data).toMatchObject([
      { drifted_at: null },
    ]);
  });

  it('says whose it is where it is shown, and objects of nobody do not', async () => {
    const id = await guardrailId();
    expect((await send('GET', `/guardrails/${id}`)).headers.get('x-managed-by')).toBe('platform');
    const other = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Mine' });
    expect((await send('GET', `/guardrails/${other.body.data.id}`)).headers.get('x-managed-by')).toBeNull();
  });

  it('answers 400 for an override that is neither true nor false', async () => {
    const id = await guardrailId();
    expect((await send('PATCH', `/guardrails/${id}?override=yes`, { description: 'x' })).status).toBe(400);
  });

  it('answers 409 by the slug of a workspace as well', async () => {
    await apply({ workspaces: [{ slug: 'production', name: 'Production' }] });
    expect((await send('PATCH', '/workspaces/production', { name: 'Other' })).status).toBe(409);
    expect((await send('PUT', '/workspaces/production/budgets/daily', { limit_usd: 5 })).status).toBe(409);
  });

  it('answers 200 to the revocation of a key without override, and 409 to any other change', async () => {
    const made = await apply({ keys: [{ name: 'ci' }] });
    const { body } = await send<{ data: { hash: string }[] }>('GET', '/keys');
    const { hash } = body.data[0]!;
    expect(made.body.data.new_keys).toHaveLength(1);
    expect((await send('PATCH', `/keys/${hash}`, { disabled: true, name: 'other' })).status).toBe(409);
    expect((await send('PATCH', `/keys/${hash}`, { disabled: true })).status).toBe(200);
    expect((await send('DELETE', `/keys/${hash}`)).status).toBe(200);
  });

  it('answers 201 to the rotation of a key, which its files go on to configure', async () => {
    await apply({ keys: [{ name: 'ci' }] });
    const [key] = (await send<{ data: { hash: string }[] }>('GET', '/keys')).body.data;
    expect((await send('POST', `/keys/${key!.hash}/rotate`, {})).status).toBe(201);
    const { body } = await apply({ keys: [{ name: 'ci', limit: 5 }] });
    expect(body.data.changes).toMatchObject([{ action: 'update', name: 'ci' }]);
  });

  it('answers 409 by the hash before its rotation as well, while that finds the key', async () => {
    await apply({ keys: [{ name: 'ci' }] });
    const [key] = (await send<{ data: { hash: string }[] }>('GET', '/keys')).body.data;
    await send('POST', `/keys/${key!.hash}/rotate`, { grace_period_seconds: 3_600 });
    expect((await send('PATCH', `/keys/${key!.hash}`, { name: 'other' })).status).toBe(409);
    expect((await send('PATCH', `/keys/${key!.hash}`, { disabled: true })).status).toBe(200);
  });

  describe('changed besides another object', () => {
    /** Refused with 409, and then done and noted with `override=true`. */
    const isAskedAbout = async (method: string, path: string, json?: object): Promise<void> => {
      const refused = await send<{ error: { metadata: object } }>(method, path, json);
      expect([refused.status, refused.body.error.metadata]).toEqual([
        409,
        { reason: 'object_managed_by_files', owner: 'platform' },
      ]);
      expect(await drifted()).toEqual([]);
      expect((await send(method, `${path}?override=true`, json)).status).toBe(200);
    };

    const drifted = async (): Promise<string[]> => {
      const { body } = await send<{ data: { name: string; drifted_at: string | null }[] }>(
        'GET',
        '/configuration/objects',
      );
      return body.data.filter(({ drifted_at: at }) => at !== null).map(({ name }) => name);
    };

    it('answers 409 to the transfer of a key, and of all keys of a member, without override=true', async () => {
      await apply({ keys: [{ name: 'ci' }, { name: 'nightly' }] });
      await send('POST', '/keys', { name: 'mine' });
      const user = await app.factory.member(organization.organizationId);
      const keys = (await send<{ data: { hash: string; name: string }[] }>('GET', '/keys')).body.data;
      await isAskedAbout('POST', `/keys/${keys.find(({ name }) => name === 'ci')!.hash}/transfer`, { user_id: user });
      expect(await drifted()).toEqual(['ci']);
      await apply({ keys: [{ name: 'ci' }, { name: 'nightly' }] });
      await isAskedAbout('POST', `/organization/members/${organization.userId}/transfer-keys`, { user_id: user });
      expect(await drifted()).toEqual(['nightly']);
      const owners = (await send<{ data: { creator_user_id: string }[] }>('GET', '/keys')).body.data;
      expect(owners.map(({ creator_user_id: owner }) => owner)).toEqual([user, user, user]);
      // Nothing is asked where no key is of a file.
      expect(
        (await send('POST', `/organization/members/${organization.userId}/transfer-keys`, { user_id: user })).status,
      ).toBe(200);
    });

    it.each([
      ['keys', 'assigned_keys', 'key_hashes'],
      ['members', 'assigned_members', 'member_user_ids'],
    ] as const)(
      'answers 409 to another guardrail for its %s without override=true, and 200 with it',
      async (subjects, field, wire) => {
        const user = await app.factory.member(organization.organizationId);
        const [{ email }] = (await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [user])) as [
          { email: string },
        ];
        const names = { keys: 'ci', members: email };
        const lists = { keys: [{ name: 'ci' }], guardrails: [{ name: 'Checkout', [field]: [names[subjects]] }] };
        expect((await apply(lists)).status).toBe(200);
        const [key] = (await send<{ data: { hash: string }[] }>('GET', '/keys')).body.data;
        const { body } = await send<{ data: { id: string } }>('POST', '/guardrails', { name: 'Mine' });
        const ids = { keys: key!.hash, members: user };
        await isAskedAbout('POST', `/guardrails/${body.data.id}/assignments/${subjects}`, { [wire]: [ids[subjects]] });
        expect(await drifted()).toEqual(['Checkout']);
        // Of files of others, too, nothing is taken away.
        const theirs = { owner: 'other', guardrails: [{ name: 'Theirs', [field]: [names[subjects]] }] };
        await apply(lists);
        const refused = await apply(theirs);
        expect([refused.status, refused.body.error.metadata.issues]).toMatchObject([
          400,
          [
            {
              path: 'files[0].documents[0].guardrails[0]',
              message: expect.stringContaining('object_managed_by_files') as string,
            },
          ],
        ]);
      },
    );

    it('answers 409 to the deletion of the workspace it is in without override=true, and 200 with it', async () => {
      const made = await send<{ data: { id: string } }>('POST', '/workspaces', { name: 'Team', slug: 'team' });
      const other = await send<{ data: { id: string } }>('POST', '/workspaces', { name: 'Other', slug: 'other' });
      await apply({
        guardrails: [{ name: 'Checkout', workspace: 'team' }],
        limits: [{ name: 'Few', measure: 'requests', window: 'daily', amount: 1 }],
      });
      expect((await send('DELETE', `/workspaces/${other.body.data.id}`)).status).toBe(200);
      await isAskedAbout('DELETE', `/workspaces/${made.body.data.id.toUpperCase()}`);
      expect(await drifted()).toEqual(['Checkout']);
    });
  });

  it('answers 404 to another organization, as without files', async () => {
    const id = await guardrailId();
    const theirs = await app.factory.organization();
    const answer = await app.api.send('PATCH', `/guardrails/${id}`, {
      key: theirs.managementKey,
      json: { description: 'x' },
    });
    expect(answer.status).toBe(404);
    expect(organization.organizationId).not.toBe(theirs.organizationId);
  });
});
