import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { pkcePair } from '../../support/application/factory.js';
import { DEPLOYED_MODEL } from '../../support/resources/private-models.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import type { Answer } from '../../support/network/api-client.js';
import { until } from '../../support/time/until.js';
import { sharedApplication } from '../../support/application/shared-application.js';

/** As many objects of a kind as an organization may have in these tests. */
const QUOTA = 2;

const KINDS = [
  'WORKSPACES',
  'GUARDRAILS',
  'KEYS',
  'CONNECT_CLIENTS',
  'AUTHORIZATION_CODES',
  'OAUTH_APPLICATIONS',
  'PRESETS',
  'PRESET_VERSIONS',
  'DESTINATIONS',
  'PRIVATE_ENDPOINTS',
  'PRIVATE_PROVIDERS',
  'PROVIDER_KEYS',
  'SCIM_GROUP_MAPPINGS',
];

describe('quotas of an organization', () => {
  const app = sharedApplication({
    variables: Object.fromEntries(KINDS.map((kind) => [`QUOTA_${kind}`, String(QUOTA)])),
  });

  beforeAll(() => app.factory.starterCatalog());

  type Creation = (organization: NewOrganization, number: number) => Promise<Answer>;

  const post = (path: (number: number) => string, json: (number: number) => object): Creation => {
    return ({ managementKey: key }, number) => app.api.post(path(number), { key, json: json(number) });
  };

  const createMapping: Creation = async (organization) => {
    await app.factory.enableScim(organization);
    const scim_group_id = await app.factory.scimGroup(organization);
    const json = { scim_group_id, workspace_id: organization.workspaceId };
    return app.api.post('/scim/group-mappings', { key: organization.managementKey, json });
  };

  const createEndpoint: Creation = async (organization, number) => {
    const { managementKey: key } = organization;
    await app.api.post('/private-providers', { key, json: { name: 'Own servers' } });
    const names = { model_permaslug: DEPLOYED_MODEL, provider_slug: 'own-servers', upstream_model_id: `m${number}` };
    return app.api.post('/private-endpoints', { key, json: names });
  };

  const exchangeCode: Creation = async (organization) => {
    const { verifier, challenge } = pkcePair();
    const json = { callback_url: 'https://app.example.com/callback', code_challenge: challenge };
    const code = await app.api.post<{ data: { id: string } }>('/auth/keys/code', {
      key: organization.managementKey,
      json: { ...json, code_challenge_method: 'S256' },
    });
    return app.api.post('/auth/keys', {
      key: organization.managementKey,
      json: { code: code.body.data.id, code_verifier: verifier },
    });
  };

  /** By kind: an operation that makes one, and how many a new organization has. */
  const CREATIONS: readonly [kind: string, there: number, create: Creation][] = [
    [
      'workspaces',
      1,
      post(
        () => '/workspaces',
        (number) => ({ name: `W${number}`, slug: `w-${number}` }),
      ),
    ],
    [
      'guardrails',
      0,
      post(
        () => '/guardrails',
        (number) => ({ name: `G${number}` }),
      ),
    ],
    [
      'keys',
      1,
      post(
        () => '/keys',
        (number) => ({ name: `K${number}` }),
      ),
    ],
    [
      'connect_clients',
      0,
      post(
        () => '/connect/clients',
        (number) => ({ name: `C${number}`, callback_urls: [`https://c${number}.example.com/`] }),
      ),
    ],
    [
      'authorization_codes',
      0,
      post(
        () => '/auth/keys/code',
        () => ({ callback_url: 'https://app.example.com/callback' }),
      ),
    ],
    [
      'presets',
      0,
      post(
        (number) => `/presets/preset-${number}/chat/completions`,
        () => ({ temperature: 1 }),
      ),
    ],
    [
      'preset_versions',
      0,
      post(
        () => '/presets/only/chat/completions',
        (number) => ({ temperature: number / 10 }),
      ),
    ],
    [
      'destinations',
      0,
      post(
        () => '/observability/destinations',
        (number) => ({ type: 'langfuse', name: `D${number}`, config: DESTINATION_SAMPLES.langfuse.config }),
      ),
    ],
    [
      'provider_keys',
      0,
      post(
        () => '/byok',
        (number) => ({ provider: 'openai', name: `P${number}`, key: `sk-number-${number}` }),
      ),
    ],
    [
      'private_providers',
      0,
      post(
        () => '/private-providers',
        (number) => ({ name: `Servers ${number}` }),
      ),
    ],
    ['private_endpoints', 0, createEndpoint],
    ['scim_group_mappings', 0, createMapping],
  ];

  it.each(CREATIONS)(
    'answer 400 quota_exceeded to one too many of %s, and nothing is created',
    async (kind, there, create) => {
      const organization = await app.factory.organization();
      for (let number = there; number < QUOTA; number += 1) {
        const answer = await create(organization, number);
        expect({ status: answer.status < 300, text: answer.text }).toEqual({ status: true, text: answer.text });
      }
      const events = await eventsOf(organization);

      const refused = await create(organization, QUOTA);

      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        error: { metadata: { reason: 'quota_exceeded', quota: kind, limit: QUOTA, issues: [{ path: '' }] } },
      });
      expect(await eventsOf(organization)).toEqual(events);
      const other = await app.factory.organization();
      expect((await create(other, QUOTA)).status).toBeLessThan(300);
    },
  );

  it('answer 400 quota_exceeded to the exchange of a code in an organization that has its maximum of keys', async () => {
    const organization = await app.factory.organization();
    await app.factory.key(organization);

    const refused = await exchangeCode(organization, 0);

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { metadata: { reason: 'quota_exceeded', quota: 'keys' } } });
    expect(
      await app.rows('SELECT id FROM api_keys WHERE organization_id = $1', [organization.organizationId]),
    ).toHaveLength(2);
  });

  it('answer 400 quota_exceeded to a code for one origin too many, and 200 to one for a known origin', async () => {
    const organization = await app.factory.organization();
    const { organizationId, managementKey: key } = organization;
    const create = async (number: number): Promise<Answer> => {
      // Codes have a quota of their own.
      await app.rows('DELETE FROM authorization_codes WHERE organization_id = $1', [organizationId]);
      const json = { callback_url: `https://app-${number}.example.com/callback` };
      return app.api.post('/auth/keys/code', { key, json });
    };
    for (let number = 0; number < QUOTA; number += 1) expect((await create(number)).status).toBe(200);
    const events = await eventsOf(organization);

    const refused = await create(QUOTA);

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: { metadata: { reason: 'quota_exceeded', quota: 'oauth_applications', limit: QUOTA } },
    });
    expect(await eventsOf(organization)).toEqual(events);
    expect(
      await app.rows('SELECT origin FROM oauth_applications WHERE organization_id = $1', [organizationId]),
    ).toHaveLength(QUOTA);
    expect((await create(0)).status).toBe(200);
  });

  it('answer 400 until something is deleted, and success afterwards', async () => {
    const organization = await app.factory.organization();
    const create = CREATIONS.find(([kind]) => kind === 'guardrails')![2];
    await create(organization, 0);
    const { body } = (await create(organization, 1)) as Answer<{ data: { id: string } }>;
    expect((await create(organization, 2)).status).toBe(400);

    await app.api.delete(`/guardrails/${body.data.id}`, { key: organization.managementKey });

    // A count is relied on for a second.
    await until(async () => (await create(organization, 3)).status === 201);
  });

  it('do not count a guardrail that is only tried: 201, then 200', async () => {
    const organization = await app.factory.organization();
    const create = CREATIONS.find(([kind]) => kind === 'guardrails')![2];
    for (let number = 0; number < QUOTA; number += 1) expect((await create(organization, number)).status).toBe(201);
    const request = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    const json = { guardrail: { name: 'One more' }, request };

    expect((await app.api.post('/guardrails/evaluate', { key: organization.managementKey, json })).status).toBe(200);
  });

  it.each(['private_providers', 'private_endpoints'])(
    'answer 201 or 400 to %s that are created at the same time for the last place, and 400 to the next, without a trace of the refused',
    async (kind) => {
      const organization = await app.factory.organization();
      const create = CREATIONS.find(([known]) => known === kind)![2];
      expect((await create(organization, 0)).status).toBe(201);

      const answers = await Promise.all([1, 2, 3, 4].map((number) => create(organization, number)));

      const made = answers.filter(({ status }) => status === 201).length;
      expect(made).toBeGreaterThan(0);
      for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
        expect([status, body]).toMatchObject([400, { error: { metadata: { reason: 'quota_exceeded', quota: kind } } }]);
      }
      const next = await create(organization, 5);
      expect([next.status, next.body]).toMatchObject([400, { error: { metadata: { quota: kind, limit: QUOTA } } }]);
      const created = (await eventsOf(organization)).filter((action) => action === `${kind.replace(/s$/, '')}.create`);
      expect(created).toHaveLength(1 + made);
      const { organizationId } = organization;
      expect(await app.rows(`SELECT FROM ${kind} WHERE organization_id = $1`, [organizationId])).toHaveLength(1 + made);
    },
  );

  const eventsOf = async ({ organizationId }: NewOrganization): Promise<unknown[]> =>
    (
      await app.rows<{ action: string }>(
        `SELECT action FROM audit_events WHERE organization_id = $1 AND action NOT LIKE 'scim_group.%' ORDER BY id`,
        [organizationId],
      )
    ).map(({ action }) => action);
});
