import { ConfiguredKinds } from '../../../src/modules/configuration/kinds/configured-kinds.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { newTenant, type Tenant } from '../../support/resources/tenant.js';
import { fileOf } from './configuration-interface.js';

interface Managed {
  readonly section: string;
  readonly id: string;
  readonly name: string;
  readonly drifted_at: string | null;
}

/** How a request of the interface addresses an object of each list of files, and what changes it. */
interface Addressed {
  readonly path: (object: Managed) => string;
  /** How it is changed, below its path. */
  readonly changes: readonly (readonly [method: string, below: string, json?: object])[];
}

const byId = (path: string, ...further: Addressed['changes']): Addressed => ({
  path: ({ id }) => `${path}/${id}`,
  changes: [['PATCH', '', {}], ['DELETE', ''], ...further],
});

const KINDS: Readonly<Record<string, Addressed>> = {
  workspaces: byId('/workspaces', ['PUT', '/budgets/daily', { limit_usd: 1 }], ['DELETE', '/budgets/monthly']),
  inspectors: byId('/inspectors'),
  mcp_servers: byId('/mcp-servers'),
  guardrails: byId('/guardrails', ['POST', '/assignments/keys/remove', { key_hashes: ['0'.repeat(64)] }]),
  default_guardrails: byId('/guardrails'),
  keys: { path: ({ id }) => `/keys/${id}`, changes: [['PATCH', '', { name: 'Other' }]] },
  provider_keys: byId('/byok'),
  presets: {
    path: ({ id }) => `/presets/${id.split('/')[1]}`,
    changes: ['chat/completions', 'messages', 'responses'].map((form) => [
      'POST',
      `/${form}`,
      { model: 'gatehouse/echo', ...(form === 'messages' && { max_tokens: 5 }) },
    ]),
  },
  limits: byId(
    '/limits',
    ['POST', '/exceptions', { values: {}, amount: 5 }],
    ['DELETE', '/exceptions/019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80'],
  ),
  destinations: byId('/observability/destinations'),
  alerts: byId('/alerts'),
  private_providers: { ...byId(''), path: ({ name }) => `/private-providers/${name}` },
  private_endpoints: byId('/private-endpoints'),
  sign_in_connections: byId('/sign-in/connections'),
  federation_issuers: byId('/federation/issuers'),
  federation_policies: byId('/federation/policies'),
  scim_group_mappings: {
    ...byId('/scim/group-mappings'),
    changes: [
      ['PATCH', '', { role: 'admin' }],
      ['DELETE', '', undefined],
    ],
  },
};

describe('what files configure, of every kind', () => {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  let tenant: Tenant;
  let managed: readonly Managed[];

  const send = <Body>(method: string, path: string, json?: object): Promise<Answer<Body>> =>
    app.api.send(method, path, { key: tenant.managementKey, ...(json && { json }) });

  const objects = async (): Promise<readonly Managed[]> =>
    (await send<{ data: Managed[] }>('GET', '/configuration/objects')).body.data;

  /** Of presets the query says in which workspace one is. */
  const queryOf = ({ section, id }: Managed, method: string, isOverridden = false): string => {
    const query = new URLSearchParams({
      ...(section === 'presets' && { workspace_id: id.split('/')[0]! }),
      ...(section === 'scim_group_mappings' && method === 'DELETE' && { keep_members: 'true' }),
      ...(isOverridden && { override: 'true' }),
    });
    return `?${query.toString()}`;
  };

  beforeAll(async () => {
    tenant = await newTenant(app, 'managed');
    await send('PATCH', `/byok/${tenant.providerKeyId}`, { name: 'Own' });
    await send('PATCH', `/guardrails/${tenant.defaultGuardrailId}`, { enforce_zdr: true });
    const { body } = await send<{ data: { document: object } }>('GET', '/configuration/export');
    const adopted = await send('POST', '/configuration/apply', {
      files: [fileOf({ ...body.data.document, owner: 'platform' })],
      adopt: true,
    });
    expect(adopted.status).toBe(200);
    managed = await objects();
  });

  it('has an object of each kind here', () => {
    const sections = app.application.get(ConfiguredKinds).all.map(({ section }) => section);
    expect(Object.keys(KINDS).sort()).toEqual([...sections].sort());
    expect([...new Set(managed.map(({ section }) => section))].sort()).toEqual([...sections].sort());
  });

  it.each(Object.keys(KINDS))(
    'is marked where it is shown (200), and refused with 409 otherwise: %s',
    async (section) => {
      const { path, changes } = KINDS[section]!;
      for (const object of managed.filter((one) => one.section === section)) {
        const shown = await send('GET', `${path(object)}${queryOf(object, 'GET')}`);
        expect([shown.status, shown.headers.get('x-managed-by')]).toEqual([200, 'platform']);
        for (const [method, below, json] of changes) {
          const { status, body } = await send<{ error: { metadata: object } }>(
            method,
            `${path(object)}${below}${queryOf(object, method)}`,
            json,
          );
          expect([method, below, status, body.error?.metadata]).toEqual([
            method,
            below,
            409,
            { reason: 'object_managed_by_files', owner: 'platform' },
          ]);
        }
      }
    },
  );

  it.each(Object.keys(KINDS))('has drifted after a change (200) with override=true: %s', async (section) => {
    const { path, changes } = KINDS[section]!;
    const [object] = managed.filter((one) => one.section === section);
    const [method, below, json] = changes[0]!;
    const { status } = await send(method, `${path(object!)}${below}${queryOf(object!, method, true)}`, json);
    expect(status).toBe(200);
    const after = (await objects()).find(({ section: list, id }) => list === section && id === object!.id);
    expect(after?.drifted_at).toEqual(expect.any(String));
  });

  describe('of presets', () => {
    const ofDefault = (): Managed =>
      managed.find(({ section, id }) => section === 'presets' && id.startsWith(tenant.workspaceId))!;

    const version = (query: string, slug = ofDefault().name): Promise<Answer> =>
      send('POST', `/presets/${slug}/chat/completions${query}`, { model: 'gatehouse/echo' });

    it('is the one of the default workspace without a word (409), and of another by its id', async () => {
      expect((await version('')).status).toBe(409);
      const other = managed.find(({ section, id }) => section === 'presets' && !id.startsWith(tenant.workspaceId))!;
      expect((await version(`?workspace_id=${tenant.otherWorkspaceId.toUpperCase()}`, other.name)).status).toBe(409);
    });

    it('is not one of the same slug in another workspace, which is made with 200', async () => {
      const made = await version(`?workspace_id=${tenant.otherWorkspaceId}`);
      expect(made.status).toBe(200);
      const shown = await send('GET', `/presets/${ofDefault().name}?workspace_id=${tenant.otherWorkspaceId}`);
      expect(shown.headers.get('x-managed-by')).toBeNull();
    });
  });
});
