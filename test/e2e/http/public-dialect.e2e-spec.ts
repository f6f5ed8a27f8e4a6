import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { newPrivateEndpoint, newPrivateProvider } from '../../support/resources/private-models.js';

type Data = Readonly<Record<string, unknown>>;

const OFFSET = '2031-01-01T00:00:00+02:00';

/** A request that is taken in the default dialect, and refused in the public one for its form. */
interface Form {
  readonly path: string;
  readonly json: (organization: NewOrganization, keyHash: string) => object;
  readonly issue: string;
  readonly reason: string;
  readonly says: string;
}

const FORMS: Readonly<Record<string, Form>> = {
  'an expiry with an offset': {
    path: '/keys',
    json: () => ({ name: 'x', expires_at: OFFSET }),
    issue: 'expires_at',
    reason: 'invalid_parameters',
    says: 'must be in UTC',
  },
  'an expiry of a management key with an offset': {
    path: '/management-keys',
    json: () => ({ name: 'x', expires_at: OFFSET }),
    issue: 'expires_at',
    reason: 'invalid_parameters',
    says: 'must be in UTC',
  },
  'an expiry that is finer than answers are': {
    path: '/keys',
    json: () => ({ name: 'x', expires_at: '2031-01-01T00:00:00.123456Z' }),
    issue: 'expires_at',
    reason: 'invalid_parameters',
    says: 'not finer than milliseconds',
  },
  'a model by two of its names': {
    path: '/guardrails',
    json: () => ({ name: 'x', allowed_models: ['openai/gpt-4o', 'openai/o1', 'openai/o1-2024-12-17'] }),
    issue: 'allowed_models[2]',
    reason: 'repeated_reference',
    says: 'allowed_models[1]',
  },
  'a model by an alias, which is in no list of models': {
    path: '/guardrails',
    json: () => ({ name: 'x', allowed_models: ['openai/o1', 'anthropic/claude-haiku-latest'] }),
    issue: 'allowed_models[1]',
    reason: 'reference_form',
    says: 'must be written anthropic/claude-4.5-haiku-20251001',
  },
  'a model of a provider key by an alias': {
    path: '/byok',
    json: () => ({ provider: 'openai', key: 'sk-of-nobody-0123', allowed_models: ['anthropic/claude-haiku-latest'] }),
    issue: 'allowed_models[0]',
    reason: 'reference_form',
    says: 'must be written anthropic/claude-4.5-haiku-20251001',
  },
  'a provider in capital letters': {
    path: '/guardrails',
    json: () => ({ name: 'x', ignored_providers: ['openai', 'DeepSeek'] }),
    issue: 'ignored_providers[1]',
    reason: 'reference_form',
    says: 'must be written deepseek',
  },
  'a region twice': {
    path: '/guardrails',
    json: () => ({ name: 'x', allowed_data_regions: ['us', 'europe', 'us'] }),
    issue: 'allowed_data_regions[2]',
    reason: 'invalid_parameters',
    says: 'allowed_data_regions[0]',
  },
  'a model of a provider key in capital letters': {
    path: '/byok',
    json: () => ({ provider: 'openai', key: 'sk-of-nobody-0123', allowed_models: ['OpenAI/gpt-4o'] }),
    issue: 'allowed_models[0]',
    reason: 'reference_form',
    says: 'must be written openai/gpt-4o',
  },
  'the provider of a key in capital letters': {
    path: '/byok',
    json: () => ({ provider: 'OpenAI', key: 'sk-of-nobody-0123' }),
    issue: 'provider',
    reason: 'reference_form',
    says: 'must be written openai',
  },
  'a user of a provider key twice': {
    path: '/byok',
    json: ({ userId }) => ({ provider: 'openai', key: 'sk-of-nobody-0123', allowed_user_ids: [userId, userId] }),
    issue: 'allowed_user_ids[1]',
    reason: 'invalid_parameters',
    says: 'allowed_user_ids[0]',
  },
  'a key of a destination twice': {
    path: '/observability/destinations',
    json: (_, hash) => ({
      name: 'x',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/x' },
      api_key_hashes: [hash, hash],
    }),
    issue: 'api_key_hashes[1]',
    reason: 'invalid_parameters',
    says: 'api_key_hashes[0]',
  },
};

/** A request that only the public dialect knows. */
const KNOWN_THERE: Readonly<Record<string, readonly [path: string, json: object]>> = {
  data_policy: ['/private-providers', { name: 'Own', data_policy: { training: true, retains_prompts: false } }],
  datacenters: ['/private-providers', { name: 'Own', datacenters: ['DE'] }],
  headquarters: ['/private-providers', { name: 'Own', headquarters: 'DE' }],
  privacy_policy_url: ['/private-providers', { name: 'Own', privacy_policy_url: 'https://models.example.com/p' }],
  declared_region: ['/byok', { provider: 'openai', key: 'sk-of-nobody-0123', declared_region: 'us' }],
};

describe('API_DIALECT=public', () => {
  const app = sharedApplication();
  const publicApp = sharedReplica(app, { API_DIALECT: 'public', ANONYMOUS_OPERATIONS: 'getModels' });
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  const post = (of: { api: typeof app.api }, path: string, json: object): Promise<Answer<{ data: Data } & ErrorBody>> =>
    of.api.post(path, { key: organization.managementKey, json });

  it.each(Object.entries(FORMS))(
    'answers 400 for %s, and says the form wanted in the message; the default dialect answers 201',
    async (_, { path, json, issue, reason, says }) => {
      const body = json(organization, (await app.factory.key(organization)).hash);
      const refused = await post(publicApp, path, body);

      expect(refused.status).toBe(400);
      expect(refused.body.error.metadata).toMatchObject({ reason, issues: [{ path: issue }] });
      expect(refused.body.error.message).toMatch(/^Invalid request parameters: /);
      expect(refused.body.error.message).toContain(`${issue} `);
      expect(refused.body.error.message).toContain(says);
      expect((await post(app, path, body)).status).toBe(201);
    },
  );

  it.each(['2031-01-01T00:00:00+00:00', '2031-01-01T00:00:00.000000Z'])('answers 201 for the time %s', async (time) => {
    const { status, body } = await post(publicApp, '/keys', { name: 'x', expires_at: time });

    expect([status, body.data['expires_at']]).toEqual([201, '2031-01-01T00:00:00.000Z']);
  });

  it('takes models by the ids of the list of models and by canonical slugs, with variants (201), and answers the slugs', async () => {
    const names = ['openai/o1', 'openai/gpt-4o:free', 'anthropic/claude-4.5-haiku-20251001'];

    const { status, body } = await post(publicApp, '/guardrails', { name: 'x', allowed_models: names });

    expect([status, body.data['allowed_models']]).toEqual([201, ['openai/o1-2024-12-17', ...names.slice(1)]]);
  });

  it('takes any name of an image model as the default of a workspace (201), and refuses an unknown one for text, and both in the default dialect (400)', async () => {
    const named = { name: 'x', slug: 'x', default_image_model: 'acme/painter-of-old' };

    const refused = await post(publicApp, '/workspaces', { ...named, default_text_model: 'acme/writer-of-old' });
    const { status, body } = await post(publicApp, '/workspaces', named);

    expect(refused.body.error.metadata.issues).toMatchObject([{ path: 'default_text_model' }]);
    expect([status, body.data['default_image_model']]).toEqual([201, 'acme/painter-of-old']);
    expect((await post(app, '/workspaces', { ...named, slug: 'y' })).status).toBe(400);
  });

  it('removes a guardrail from no key where all hashes are unknown (200), and refuses with 404 where some are', async () => {
    const { id } = await app.factory.guardrail(organization, {});
    const { hash } = await app.factory.key(organization);
    const remove = (of: { api: typeof app.api }, hashes: readonly string[]) =>
      post(of, `/guardrails/${id}/assignments/keys/remove`, { key_hashes: hashes });
    const unknown = 'cd'.repeat(32);

    const all = await remove(publicApp, [unknown]);

    expect([all.status, all.body]).toEqual([200, { unassigned_count: 0 }]);
    expect((await remove(publicApp, [hash, unknown])).status).toBe(404);
    expect((await remove(app, [unknown])).status).toBe(404);
  });

  it('has the message of the status alone for a 400 in the default dialect, and for a 404 in both', async () => {
    const messages = async (path: string, json: object): Promise<string[]> => [
      (await post(app, path, json)).body.error.message,
      (await post(publicApp, path, json)).body.error.message,
    ];

    expect(await messages('/keys', {})).toEqual([
      'Invalid request parameters',
      'Invalid request parameters: name is required',
    ]);
    expect(await messages('/guardrails/nothing/assignments/keys', { key_hashes: ['x'] })).toEqual([
      'Resource not found',
      'Resource not found',
    ]);
  });

  it.each(Object.entries(KNOWN_THERE))(
    'takes %s with 201 and answers it, where the default dialect answers 400, and shows it to nobody',
    async (field, [path, json]) => {
      const unknown = await post(app, path, json);
      const { status, body } = await post(publicApp, path, json);
      const own = (body.data['slug'] ?? body.data['id']) as string;
      const read = await app.api.get<{ data: Data }>(`${path}/${own}`, { key: organization.managementKey });

      expect(unknown.status).toBe(400);
      expect(unknown.body.error.metadata.issues).toEqual([{ path: field, message: 'is not a known field' }]);
      expect(status).toBe(201);
      expect(body.data).toMatchObject({ [field]: (json as Data)[field] });
      expect(read.status).toBe(200);
      expect(read.body.data).not.toHaveProperty(field);
    },
  );

  it('takes a switch that is not enforced where it is off (201), and answers 400 where it is on and in the default dialect', async () => {
    const statuses = async (of: { api: typeof app.api }, isOn: boolean): Promise<number> =>
      (await post(of, '/guardrails', { name: 'x', enforce_first_party_harness_models: isOn })).status;

    expect([await statuses(publicApp, false), await statuses(publicApp, true), await statuses(app, false)]).toEqual([
      201, 400, 400,
    ]);
  });

  it('answers none of its further fields where nothing of them is set, with 201', async () => {
    const provider = await post(publicApp, '/private-providers', { name: 'Own' });
    const key = await post(publicApp, '/byok', { provider: 'openai', key: 'sk-of-nobody-0123' });

    expect([provider.status, key.status]).toEqual([201, 201]);
    expect(Object.keys(provider.body.data)).not.toContain('data_policy');
    expect(Object.keys(key.body.data)).not.toContain('declared_region');
  });

  it.each([
    ['a country that there is not', { datacenters: ['XX'] }, 'datacenters[0]'],
    ['a country in small letters', { headquarters: 'us' }, 'headquarters'],
    ['half a policy', { data_policy: { training: false } }, 'data_policy.retains_prompts'],
    [
      'something unknown in a policy',
      { data_policy: { training: false, retains_prompts: false, x: 1 } },
      'data_policy.x',
    ],
    [
      'a negative number of days',
      { data_policy: { training: false, retains_prompts: true, prompt_retention_days: -1 } },
      'data_policy.prompt_retention_days',
    ],
    ['no address of a policy', { privacy_policy_url: 'nowhere' }, 'privacy_policy_url'],
  ])('answers 400 for a private provider with %s', async (_, fields, path) => {
    const { status, body } = await post(publicApp, '/private-providers', { name: 'Own', ...fields });

    expect([status, body.error.metadata.issues!.map((issue) => issue.path)]).toEqual([400, [path]]);
  });

  it('clears what was said of a private provider by null, with 200', async () => {
    const said = { headquarters: 'US', datacenters: ['US'], data_policy: { training: true, retains_prompts: true } };
    const { body } = await post(publicApp, '/private-providers', { name: 'Own', ...said });

    const cleared = await publicApp.api.patch<{ data: Data }>(`/private-providers/${String(body.data['slug'])}`, {
      key: organization.managementKey,
      json: { headquarters: null, datacenters: null, data_policy: null },
    });

    expect(body.data).toMatchObject({ ...said, data_policy: { ...said.data_policy, prompt_retention_days: null } });
    expect(cleared.status).toBe(200);
    expect(Object.keys(cleared.body.data)).not.toContain('headquarters');
  });

  describe('of private endpoints', () => {
    const draft = async (): Promise<string> => {
      const { slug } = await newPrivateProvider(app, organization);
      return (await newPrivateEndpoint(app, organization, slug)).id;
    };
    const options = (json?: object) => ({ key: organization.managementKey, ...(json && { json }) });

    it('sets prices with 200, of which the default dialect knows nothing (404)', async () => {
      const id = await draft();
      const json = { pricing: { prompt: '1', completion: '2' } };

      const unknown = await app.api.put(`/private-endpoints/${id}/pricing`, options(json));
      const set = await publicApp.api.put<{ data: Data }>(`/private-endpoints/${id}/pricing`, options(json));
      const { body: trail } = await app.api.get<{ data: { action: string }[] }>('/audit-events?limit=100', options());

      expect([unknown.status, set.status, set.body.data['pricing']]).toEqual([404, 200, json.pricing]);
      expect(set.headers.get('etag')).toMatch(/^"/);
      expect(trail.data.map(({ action }) => action)).toContain('private_endpoint.update');
    });

    it('answers 400 for prices that are none, and 404 for an endpoint of another organization', async () => {
      const other = await app.factory.organization();
      const { slug } = await newPrivateProvider(app, other);
      const { id } = await newPrivateEndpoint(app, other, slug);
      const put = async (path: string, json: object) => (await publicApp.api.put(path, options(json))).status;

      expect(await put(`/private-endpoints/${await draft()}/pricing`, { pricing: null })).toBe(400);
      expect(await put(`/private-endpoints/${id}/pricing`, { pricing: { prompt: '1', completion: '2' } })).toBe(404);
    });

    it('deletes a draft alone with draft_only (200), and answers 409 for an active endpoint, which stays; the default dialect answers 400', async () => {
      const [first, second] = [await draft(), await draft()];
      await app.rows(`UPDATE private_endpoints SET status = 'active' WHERE id = $1`, [second]);

      const unknown = await app.api.delete(`/private-endpoints/${first}?draft_only=true`, options());
      const gone = await publicApp.api.delete(`/private-endpoints/${first}?draft_only=true`, options());
      const kept = await publicApp.api.delete<ErrorBody>(`/private-endpoints/${second}?draft_only=true`, options());
      const wholly = await publicApp.api.delete(`/private-endpoints/${second}?draft_only=false`, options());

      expect([unknown.status, gone.status, kept.status, wholly.status]).toEqual([400, 200, 409, 200]);
      expect(kept.body.error.metadata.reason).toBe('private_endpoint_status');
    });

    it.each(['openai/o1', 'OpenAI/o1-2024-12-17'])(
      'refuses the model %s with 400, which says its canonical slug; the default dialect answers 201',
      async (name) => {
        const { slug } = await newPrivateProvider(app, organization);
        const json = { model_permaslug: name, provider_slug: slug, upstream_model_id: 'x' };

        const { status, body } = await post(publicApp, '/private-endpoints', json);

        expect([status, body.error.metadata.reason]).toEqual([400, 'reference_form']);
        expect(body.error.metadata.issues).toEqual([
          { path: 'model_permaslug', message: 'must be written openai/o1-2024-12-17' },
        ]);
        expect((await post(app, '/private-endpoints', json)).status).toBe(201);
      },
    );

    it.each([
      ['HTTPS://Models.Example.com', 'https://models.example.com'],
      ['https://Models.example.com/V1/', 'https://models.example.com/V1'],
      ['https://models.example.com/v1/chat/completions/', 'https://models.example.com/v1'],
    ])(
      'stores the address %s of an endpoint in normal form (201), and takes that alone of a provider',
      async (written, stored) => {
        const { slug } = await newPrivateProvider(app, organization);
        const names = { model_permaslug: 'openai/gpt-4o', provider_slug: slug, upstream_model_id: 'x' };

        const endpoint = await post(publicApp, '/private-endpoints', { ...names, base_url: written });
        const read = await publicApp.api.get<{ data: Data }>(
          `/private-endpoints/${endpoint.body.data['id'] as string}`,
          {
            key: organization.managementKey,
          },
        );
        const refused = await post(publicApp, '/private-providers', { name: 'Own', base_url: written });
        const taken = await post(publicApp, '/private-providers', { name: 'Own', base_url: stored });

        expect([endpoint.status, read.body.data['base_url']]).toEqual([201, stored]);
        expect([refused.status, refused.body.error.metadata.issues]).toEqual([
          400,
          [{ path: 'base_url', message: `must be written ${stored}` }],
        ]);
        expect([taken.status, taken.body.data['base_url']]).toEqual([201, stored]);
      },
    );

    it('takes back the address that a provider has, in any form, and changes nothing (200)', async () => {
      const base_url = 'https://Models.Example.com/v1';
      const { slug } = (await post(app, '/private-providers', { name: 'Own', base_url })).body.data;

      const { status, body } = await publicApp.api.patch<{ data: Data }>(`/private-providers/${slug as string}`, {
        key: organization.managementKey,
        json: { base_url },
      });

      expect([status, body.data['base_url']]).toEqual([200, base_url]);
    });

    it('refuses days for which no prompts are kept, with 400', async () => {
      const policy = { training: false, retains_prompts: false, prompt_retention_days: 30 };
      const path = '/private-providers';

      const { status, body } = await post(publicApp, path, { name: 'Own', data_policy: policy });
      const kept = await post(publicApp, path, { name: 'Own', data_policy: { ...policy, retains_prompts: true } });

      expect([status, body.error.metadata.issues]).toEqual([
        400,
        [{ path: 'data_policy.prompt_retention_days', message: 'must be null, unless retains_prompts is true' }],
      ]);
      expect([kept.status, kept.body.data['data_policy']]).toEqual([201, { ...policy, retains_prompts: true }]);
    });

    it('answers 400 for the path of another operation at the end of an address', async () => {
      const json = { name: 'Own', base_url: 'https://models.example.com/v1/embeddings' };

      expect((await post(publicApp, '/private-providers', json)).status).toBe(400);
    });
  });

  describe('of the list of models', () => {
    const ids = async (of: { api: typeof app.api }, key?: string, headers?: Record<string, string>) => {
      const options = { ...(key !== undefined && { key }), ...(headers && { headers }) };
      const { status, body } = await of.api.get<{ data: { id: string }[] }>('/models?limit=1000', options);
      return { status, ids: body.data?.map(({ id }) => id) };
    };

    it('shows keys what their policy permits once the organization filters it, and callers without a credential all, with 200', async () => {
      const { id } = await app.factory.guardrail(organization, { allowed_models: ['openai/gpt-4o'] });
      const { hash, plaintext } = await app.factory.key(organization);
      await post(app, `/guardrails/${id}/assignments/keys`, { key_hashes: [hash] });
      const before = await ids(publicApp, plaintext);
      const json = { is_filtered_model_catalog_enabled: true };
      await publicApp.api.patch('/organization/settings', { key: organization.managementKey, json });

      expect(before.ids.length).toBeGreaterThan(50);
      expect(await ids(publicApp, plaintext)).toEqual({ status: 200, ids: ['openai/gpt-4o'] });
      expect(await ids(publicApp, plaintext, { 'anthropic-version': '2023-06-01' })).toEqual({
        status: 200,
        ids: ['openai/gpt-4o'],
      });
      expect(await ids(publicApp, undefined, { authorization: '' })).toEqual(before);
      expect(await ids(publicApp, organization.managementKey)).toEqual(before);
      expect(await ids(app, plaintext)).toEqual(before);
    });
  });

  describe('of assignments', () => {
    const assign = (of: { api: typeof app.api }, id: string, kind: 'keys' | 'members', names: readonly string[]) =>
      post(of, `/guardrails/${id}/assignments/${kind}`, {
        [kind === 'keys' ? 'key_hashes' : 'member_user_ids']: names,
      }) as Promise<Answer<{ assigned_count?: number } & ErrorBody>>;

    const listed = async (id: string, kind: 'keys' | 'members'): Promise<number> => {
      const { body } = await app.api.get<{ total_count: number }>(`/guardrails/${id}/assignments/${kind}`, {
        key: organization.managementKey,
      });
      return body.total_count;
    };

    const UNKNOWN = 'ef'.repeat(32);

    it('counts those of the request that hold now, each once, with 200', async () => {
      const { id } = await app.factory.guardrail(organization);
      const [one, other] = [(await app.factory.key(organization)).hash, (await app.factory.key(organization)).hash];
      await assign(publicApp, id, 'keys', [one]);

      const both = await assign(publicApp, id, 'keys', [one, other, one]);
      const again = await assign(publicApp, id, 'keys', [one, other]);

      expect([both.status, both.body.assigned_count, again.body.assigned_count]).toEqual([200, 2, 2]);
      expect((await assign(app, id, 'keys', [one, other])).body.assigned_count).toBe(0);
    });

    it('answers 200 with a count of 0 if all hashes are unknown, and 404 if some are, and assigns none', async () => {
      const { id } = await app.factory.guardrail(organization);
      const { hash } = await app.factory.key(organization);
      const foreign = await app.factory.key(await app.factory.organization());

      const all = await assign(publicApp, id, 'keys', [UNKNOWN, foreign.hash, 'no hash']);
      const some = await assign(publicApp, id, 'keys', [hash, UNKNOWN]);

      expect([all.status, all.body]).toEqual([200, { assigned_count: 0 }]);
      expect([some.status, some.body.error.metadata.reason]).toEqual([404, 'key_not_found']);
      expect(await listed(id, 'keys')).toBe(0);
      expect((await assign(app, id, 'keys', [UNKNOWN])).status).toBe(404);
    });

    it('answers 400 for a key of another workspace, also by its hash before a rotation, and assigns none', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const { id } = await app.factory.guardrail(organization, { workspace_id: workspaceId });
      const { hash: own } = await app.factory.key(organization, { workspaceId });
      const { hash: elsewhere } = await app.factory.key(organization);
      await post(app, `/keys/${elsewhere}/rotate`, { grace_period_seconds: 3600 });

      const refused = await assign(publicApp, id, 'keys', [own, elsewhere]);
      const { hash: direct } = await app.factory.key(organization);
      const named = await assign(publicApp, id, 'keys', [own, direct]);

      expect([refused.status, refused.body.error.metadata.reason]).toEqual([400, 'other_workspace']);
      expect(named.status).toBe(400);
      expect(named.body.error.metadata.issues).toMatchObject([{ path: 'key_hashes[1]' }]);
      expect(await listed(id, 'keys')).toBe(0);
      expect((await assign(app, id, 'keys', [own, direct])).status).toBe(200);
    });

    it('answers 400 for one who is no member of the workspace, and 200 for all members in the default one', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const { id } = await app.factory.guardrail(organization, { workspace_id: workspaceId });
      const { id: everywhere } = await app.factory.guardrail(organization);
      const { organizationId } = organization;
      const [member, stranger] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
      await app.factory.workspaceMember(organizationId, workspaceId, member, 'member');

      const refused = await assign(publicApp, id, 'members', [member, stranger]);

      expect(refused.status).toBe(400);
      expect(refused.body.error.metadata).toMatchObject({
        reason: 'other_workspace',
        issues: [{ path: 'member_user_ids[1]' }],
      });
      expect(await listed(id, 'members')).toBe(0);
      expect((await assign(publicApp, id, 'members', [member])).body.assigned_count).toBe(1);
      expect((await assign(publicApp, everywhere, 'members', [stranger])).body.assigned_count).toBe(1);
    });

    it('takes keys of every workspace for a guardrail of none, with 200', async () => {
      const { id } = await app.factory.guardrail(organization);
      await app.rows('UPDATE guardrails SET workspace_id = NULL WHERE id = $1', [id]);
      const workspaceId = await app.factory.workspace(organization);
      const { hash } = await app.factory.key(organization, { workspaceId });

      const { status, body } = await assign(publicApp, id, 'keys', [hash]);

      expect([status, body.assigned_count]).toEqual([200, 1]);
    });
  });
});
