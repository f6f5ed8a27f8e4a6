import { readFileSync } from 'node:fs';
import { ConfiguredKinds } from '../../../src/modules/configuration/kinds/configured-kinds.js';
import { OPERATIONS } from '../../operations/operations.js';
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

/** What a change of an object sends. */
interface Change {
  readonly json?: object;
  /** What stands in the path besides the object. */
  readonly path?: Readonly<Record<string, string>>;
}

/** How the interface addresses the objects of a list of files, and what changes them. */
interface Addressed {
  readonly path: string;
  /** What stands for the object in the path; its id unless it says another. */
  readonly called?: (object: Managed) => string;
  /** What the audit trail calls what is changed. */
  readonly audited: readonly string[];
  /** By the operations. The first is one that succeeds. */
  readonly changes: Readonly<Record<string, Change>>;
}

const KEYS = { json: { key_hashes: ['0'.repeat(64)] } };
const MEMBERS = { json: { member_user_ids: ['user_nobody'] } };
const VERSION = { model: 'gatehouse/echo' };

const KINDS: Readonly<Record<string, Addressed>> = {
  workspaces: {
    path: '/workspaces/{id}',
    audited: ['workspace', 'workspace_budget'],
    changes: {
      updateWorkspace: { json: {} },
      deleteWorkspace: {},
      upsertWorkspaceBudget: { path: { interval: 'daily' }, json: { limit_usd: 1 } },
      deleteWorkspaceBudget: { path: { interval: 'monthly' } },
    },
  },
  inspectors: {
    path: '/inspectors/{id}',
    audited: ['inspector'],
    changes: { updateInspector: { json: {} }, deleteInspector: {} },
  },
  mcp_servers: {
    path: '/mcp-servers/{id}',
    audited: ['mcp_server'],
    changes: { updateMcpServer: { json: {} }, deleteMcpServer: {} },
  },
  guardrails: {
    path: '/guardrails/{id}',
    audited: ['guardrail'],
    changes: {
      updateGuardrail: { json: {} },
      deleteGuardrail: {},
      bulkAssignKeysToGuardrail: KEYS,
      bulkUnassignKeysFromGuardrail: KEYS,
      bulkAssignMembersToGuardrail: MEMBERS,
      bulkUnassignMembersFromGuardrail: MEMBERS,
    },
  },
  default_guardrails: {
    path: '/guardrails/{id}',
    audited: [],
    changes: { updateGuardrail: { json: {} }, deleteGuardrail: {} },
  },
  keys: {
    path: '/keys/{hash}',
    audited: ['key'],
    changes: { updateKeys: { json: { name: 'Other' } }, transferKey: { json: { user_id: 'user_nobody' } } },
  },
  provider_keys: {
    path: '/byok/{id}',
    audited: ['provider_key'],
    changes: { updateBYOKKey: { json: {} }, deleteBYOKKey: {} },
  },
  presets: {
    path: '/presets/{slug}',
    called: ({ id }) => id.split('/')[1]!,
    audited: ['preset'],
    changes: {
      createPresetsChatCompletions: { json: VERSION },
      createPresetsMessages: { json: { ...VERSION, max_tokens: 5 } },
      createPresetsResponses: { json: VERSION },
    },
  },
  limits: {
    path: '/limits/{id}',
    audited: ['limit', 'limit_exception'],
    changes: {
      updateLimit: { json: {} },
      deleteLimit: {},
      createLimitException: { json: { values: {}, amount: 5 } },
      deleteLimitException: { path: { exception_id: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80' } },
    },
  },
  destinations: {
    path: '/observability/destinations/{id}',
    audited: ['observability_destination'],
    changes: { updateObservabilityDestination: { json: {} }, deleteObservabilityDestination: {} },
  },
  alerts: { path: '/alerts/{id}', audited: ['alert'], changes: { updateAlert: { json: {} }, deleteAlert: {} } },
  private_providers: {
    path: '/private-providers/{slug}',
    called: ({ name }) => name,
    audited: ['private_provider'],
    changes: { updatePrivateProvider: { json: {} }, deletePrivateProvider: {} },
  },
  private_endpoints: {
    path: '/private-endpoints/{id}',
    audited: ['private_endpoint'],
    changes: { updatePrivateEndpoint: { json: {} }, deletePrivateEndpoint: {} },
  },
  sign_in_connections: {
    path: '/sign-in/connections/{id}',
    audited: ['sign_in_connection'],
    changes: { updateSignInConnection: { json: {} }, deleteSignInConnection: {} },
  },
  federation_issuers: {
    path: '/federation/issuers/{id}',
    audited: ['federation_issuer'],
    changes: { updateFederationIssuer: { json: {} }, deleteFederationIssuer: {} },
  },
  federation_policies: {
    path: '/federation/policies/{id}',
    audited: ['federation_policy'],
    changes: { updateFederationPolicy: { json: {} }, deleteFederationPolicy: {} },
  },
  scim_group_mappings: {
    path: '/scim/group-mappings/{id}',
    audited: ['scim_group_mapping'],
    changes: { updateScimGroupMapping: { json: { role: 'admin' } }, deleteScimGroupMapping: {} },
  },
};

/** Operations that need `override=true` although no change above is one, and where they are tried. */
const TRIED_ELSEWHERE = {
  deleteKeys: 'needs none for what it revokes (managed-objects)',
  transferMemberKeys: 'has no object of a file in its path (managed-objects)',
};

const MANAGEMENT_KEYS_ARE_IN_NO_FILE = 'no list of files has management keys';
const STATUS_IS_IN_NO_FILE = 'files say nothing of the status of an endpoint, whose server is asked';
const APPROVALS_ARE_IN_NO_FILE = 'files say nothing of what people have approved of the tools of a server';
const MEMBERS_ARE_IN_NO_FILE = 'files say nothing of who is in a workspace';

/** Operations that change objects which files may configure, and need no `override`, with the reason. */
const WITHOUT_OVERRIDE: Readonly<Record<string, string>> = {
  approveMcpTools: APPROVALS_ARE_IN_NO_FILE,
  revokeMcpTools: APPROVALS_ARE_IN_NO_FILE,
  rotateKey: 'files have no secrets, and go on to configure the key',
  updateManagementKey: MANAGEMENT_KEYS_ARE_IN_NO_FILE,
  deleteManagementKey: MANAGEMENT_KEYS_ARE_IN_NO_FILE,
  rotateManagementKey: MANAGEMENT_KEYS_ARE_IN_NO_FILE,
  activatePrivateEndpoint: STATUS_IS_IN_NO_FILE,
  disablePrivateEndpoint: STATUS_IS_IN_NO_FILE,
  enablePrivateEndpoint: STATUS_IS_IN_NO_FILE,
  validatePrivateEndpoint: STATUS_IS_IN_NO_FILE,
  bulkAddWorkspaceMembers: MEMBERS_ARE_IN_NO_FILE,
  bulkRemoveWorkspaceMembers: MEMBERS_ARE_IN_NO_FILE,
};

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string }[];
}

/** The operations that take `override`, as the interface is described. */
function overriding(): readonly string[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'override'))
    .map(({ operationId }) => operationId!)
    .sort();
}

describe('the operations that change what files configure', () => {
  it('take override=true, but for some with a reason', () => {
    const audited = new Set(Object.values(KINDS).flatMap((kind) => kind.audited));
    const changing = Object.entries(OPERATIONS).filter(
      ([, { path, auditActions = [] }]) =>
        path.includes('{') && auditActions.some((action) => audited.has(action.split('.')[0]!)),
    );
    const taking = overriding();
    expect(changing.length).toBeGreaterThan(40);
    expect(
      changing
        .map(([id]) => id)
        .filter((id) => !taking.includes(id))
        .sort(),
    ).toEqual(Object.keys(WITHOUT_OVERRIDE).sort());
  });

  it('are all tried here', () => {
    const tried = Object.values(KINDS).flatMap(({ changes }) => Object.keys(changes));
    expect([...new Set([...tried, ...Object.keys(TRIED_ELSEWHERE)])].sort()).toEqual(overriding());
  });
});

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

  /** Sends a change of an object. */
  const change = <Body>(operation: string, object: Managed, isOverridden = false): Promise<Answer<Body>> => {
    const { called = ({ id }: Managed) => id, changes } = KINDS[object.section]!;
    const { path = {}, json } = changes[operation]!;
    const { method, path: template } = OPERATIONS[operation]!;
    const filled = template.replace(/\{\w+\}/, called(object)).replace(/\{(\w+)\}/g, (_, name: string) => path[name]!);
    return send(method, `${filled}${queryOf(object, method, isOverridden)}`, json);
  };

  it.each(Object.keys(KINDS))(
    'is marked where it is shown (200), and refused with 409 otherwise: %s',
    async (section) => {
      const { path, called = ({ id }: Managed) => id, changes } = KINDS[section]!;
      for (const object of managed.filter((one) => one.section === section)) {
        const shown = await send('GET', `${path.replace(/\{\w+\}/, called(object))}${queryOf(object, 'GET')}`);
        expect([shown.status, shown.headers.get('x-managed-by')]).toEqual([200, 'platform']);
        for (const operation of Object.keys(changes)) {
          const { status, body } = await change<{ error: { metadata: object } }>(operation, object);
          expect([operation, status, body.error?.metadata]).toEqual([
            operation,
            409,
            { reason: 'object_managed_by_files', owner: 'platform' },
          ]);
        }
      }
    },
  );

  it.each(Object.keys(KINDS))('has drifted after a change (200) with override=true: %s', async (section) => {
    const [object] = managed.filter((one) => one.section === section);
    const { status } = await change(Object.keys(KINDS[section]!.changes)[0]!, object!, true);
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
