import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { DESTINATION_TYPES, type DestinationType } from '../../../src/modules/observability/destination-settings.js';
import { EVERY_DESTINATION_OPTION, newDestination, resolveHostsTo } from '../../support/resources/destinations.js';
import { EVERY_GUARDRAIL_SETTING } from '../../support/resources/guardrails.js';
import { newAlert } from '../../support/resources/alerts.js';
import { newSignInConnection } from '../../support/resources/sign-in.js';
import { newExternalUser } from '../../support/resources/external-users.js';
import { newPrivateEndpoint, newPrivateProvider } from '../../support/resources/private-models.js';
import { INLINE_KEYS, newIssuer, newPolicy } from '../../support/resources/federation.js';
import { newKey } from '../../support/resources/keys.js';
import { INSPECTOR_SIGNING_SECRET, newInspector } from '../../support/resources/inspectors.js';
import { newMcpServer } from '../../support/resources/mcp-servers.js';
import { newLimit } from '../../support/resources/limits.js';
import { interfaceOf, type Operation } from '../../support/openapi/described-operations.js';
import { storedText } from '../../support/database/stored-text.js';
import { EVERY_WORKSPACE_SETTING, newWorkspace } from '../../support/resources/workspaces.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

/** Makes a resource in some state. @returns its path */
type Make = () => Promise<string>;

const BUILTINS = [
  { slug: 'email', action: 'block' },
  { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' },
] as const;

// A client that is generated from the interface reads a resource, and writes all of it back beside what its user changes.
/** Fields that a change takes and no answer has: a secret, addresses, which are answered with what is known of them, and a switch that is taken only to be refused. */
const NEVER_ANSWERED: Readonly<Record<string, string>> = {
  updateSignInConnection: 'client_secret',
  updateAlert: 'emails',
  updateBYOKKey: 'key',
  updateGuardrail: 'enforce_first_party_harness_models',
};

function isNeverAnswered(operationId: string, field: string): boolean {
  return NEVER_ANSWERED[operationId] === field;
}

describe.each(['specification', 'public'])('the body of a GET, sent back in the dialect %s', (dialect) => {
  const app = sharedApplication({ variables: { API_DIALECT: dialect } });
  const organization = organizationPerTest(app);
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(async () => {
    resolveHostsTo(app);
    await app.factory.starterCatalog();
  });

  // One that has room for everything.
  beforeEach(() => app.factory.enableScim(organization));

  const guardrail = async (fields: object = {}): Promise<string> =>
    `/guardrails/${(await app.factory.guardrail(organization, fields)).id}`;

  const privateProvider = (fields: Readonly<Record<string, unknown>> = {}) =>
    newPrivateProvider(app, organization, fields);

  const privateEndpoint = async (fields: Readonly<Record<string, unknown>>) =>
    newPrivateEndpoint(app, organization, (await privateProvider()).slug, fields);

  const keyWith = async (fields: object = {}): Promise<string> =>
    `/keys/${(await newKey(app, organization.managementKey, fields)).data.hash}`;

  const destination = async (type: DestinationType, fields: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    `/observability/destinations/${(await newDestination(app, organization, type, fields)).id}`;

  const everyDestination = (type: DestinationType): Make => {
    return async () => {
      const { hash } = await app.factory.key(organization);
      return destination(type, { ...EVERY_DESTINATION_OPTION, api_key_hashes: [hash] });
    };
  };

  const mapping = async (role?: 'admin'): Promise<string> => {
    const userId = await app.factory.member(organization.organizationId);
    const groupId = await app.factory.scimGroup(organization);
    await app.factory.scimMembers(organization, groupId, [userId]);
    const path = `/scim/group-mappings/${await app.factory.scimMapping(
      organization,
      groupId,
      await app.factory.workspace(organization),
    )}`;
    if (role !== undefined) await app.api.patch(path, { key: organization.managementKey, json: { role } });
    return path;
  };

  const workspace = async (fields: object = {}): Promise<string> =>
    `/workspaces/${(await newWorkspace(app, organization, 'round-trip', fields)).id}`;

  const budget = async (fields: object = {}): Promise<string> => {
    const path = `/workspaces/${organization.workspaceId}/budgets/monthly`;
    const answer = await app.api.put(path, { key: organization.managementKey, json: { limit_usd: 12.34, ...fields } });
    expect(answer.status).toBe(200);
    return path;
  };

  /** By the operation that changes it, each resource in the states that it may be in. */
  const resources: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
    updateAlert: { 'with what it needs': async () => `/alerts/${await newAlert(app, organization)}` },
    updateExternalUser: {
      'as it was registered': async () =>
        `/external-users/${await newExternalUser(app, organization, 'customer-4711')}`,
    },
    updateFederationIssuer: {
      'with what it needs': async () => `/federation/issuers/${await newIssuer(app, organization)}`,
      'with keys': async () => `/federation/issuers/${await newIssuer(app, organization, { jwks: INLINE_KEYS })}`,
    },
    updatePrivateEndpoint: {
      'with what it needs': async () => `/private-endpoints/${(await privateEndpoint({ pricing: undefined })).id}`,
      'with everything': async () => {
        const everything = { base_url: 'https://models.example.com/v1', declared_region: 'us', declared_zdr: true };
        return `/private-endpoints/${(await privateEndpoint(everything)).id}`;
      },
    },
    updatePrivateProvider: {
      'with what it needs': async () => `/private-providers/${(await privateProvider({ base_url: undefined })).slug}`,
      'with everything': async () => `/private-providers/${(await privateProvider({ display_name: 'Shown' })).slug}`,
    },
    updateManagementKey: {
      'with what it needs': async () =>
        `/management-keys/${(await app.factory.key(organization, { kind: 'management_key' })).hash}`,
    },
    updateOrganizationMember: {
      'with what it needs': async () =>
        `/organization/members/${await app.factory.member(organization.organizationId)}`,
    },
    updateOrganizationSettings: { 'as they are': () => Promise.resolve('/organization/settings') },
    updateSignInConnection: {
      'with what it needs': async () => `/sign-in/connections/${await newSignInConnection(app, organization)}`,
      'with everything': async () => {
        const everything = {
          client_secret: 'a client secret',
          scopes: ['openid', 'groups'],
          external_id_claim: 'oid',
          creates_members: true,
          role_claim: 'groups',
          admin_values: ['admins'],
          group_claim: 'groups',
          enabled: false,
        };
        return `/sign-in/connections/${await newSignInConnection(app, organization, everything)}`;
      },
    },
    updateFederationPolicy: {
      'with what it needs': async () => `/federation/policies/${await newPolicy(app, organization)}`,
      'with everything': async () => {
        const everything = { condition: 'subject != ""', required_scope: 'deploy', required_token_type: 'workload' };
        return `/federation/policies/${await newPolicy(app, organization, everything)}`;
      },
    },
    updateGuardrail: {
      'with what it needs': () => guardrail(),
      'with everything': async () => {
        const inspectors = [await newInspector(app, organization)];
        return guardrail({
          ...EVERY_GUARDRAIL_SETTING,
          content_filter_builtins: BUILTINS,
          inspector_ids: inspectors,
        });
      },
      'that names models that are retired': async () => {
        const path = await guardrail({ ...EVERY_GUARDRAIL_SETTING, enforce_zdr_vendor_c: true });
        await app.rows('UPDATE models SET in_model_list = false, in_image_model_list = false');
        return path;
      },
      'that is the default of a workspace, and not stored': async () =>
        `/guardrails/${defaultGuardrailIdOf(await app.factory.workspace(organization))}`,
      'that is the default of a workspace, and stored': async () => {
        const path = `/guardrails/${defaultGuardrailIdOf(await app.factory.workspace(organization))}`;
        await app.api.patch(path, { key: organization.managementKey, json: { enforce_zdr_other: true } });
        return path;
      },
    },
    updateKeys: {
      'with what it needs': () => keyWith(),
      'with everything': () =>
        keyWith({
          limit: 12.34,
          limit_reset: 'monthly',
          include_byok_in_limit: true,
          rate_limits: { requests_per_minute: 600, tokens_per_minute: 200_000 },
          expires_at: '2098-12-31T23:59:59.999Z',
          external: { user: 'customer-4711' },
          labels: { team: 'search' },
          bound_user: 'customer-4711',
        }),
      'that is disabled and expired': async () => {
        const { id, hash } = await app.factory.key(organization);
        await app.rows(`UPDATE api_keys SET disabled = true, expires_at = now() WHERE id = $1`, [id]);
        return `/keys/${hash}`;
      },
      'that is a management key': async () =>
        `/keys/${(await app.factory.key(organization, { kind: 'management_key' })).hash}`,
      'that was rotated': async () => {
        const path = await keyWith();
        const json = { grace_seconds: 600 };
        const rotated = await app.api.post<{ data: { hash: string } }>(`${path}/rotate`, {
          key: organization.managementKey,
          json,
        });
        return `/keys/${rotated.body.data.hash}`;
      },
    },
    updateInspector: {
      'with what it needs': async () => `/inspectors/${await newInspector(app, organization)}`,
      'with everything': async () => {
        const everything = {
          settings: { parameters: { policy: 'strict' } },
          applies_to: ['response', 'tool_call'],
          mode: 'observe',
          on_failure: 'pass',
          window: 'whole',
          signing_secret: INSPECTOR_SIGNING_SECRET,
          headers: { 'x-tenant': 'tenant-0123456789' },
        };
        return `/inspectors/${await newInspector(app, organization, everything)}`;
      },
    },
    updateMcpServer: {
      'with what it needs': async () => `/mcp-servers/${await newMcpServer(app, organization)}`,
      'with everything': async () => {
        const everything = {
          authentication: 'header',
          header: 'X-Api-Key',
          enabled: false,
          trusted: true,
          follow: true,
          workspace_ids: [organization.workspaceId],
          price_per_call: 0.25,
          tool_prices: { read: 1 },
          timeout_ms: 1_000,
        };
        return `/mcp-servers/${await newMcpServer(app, organization, everything)}`;
      },
    },
    updateLimit: {
      'with what it needs': async () => `/limits/${await newLimit(app, organization)}`,
      'with everything': async () => {
        const everything = {
          conditions: [{ key: 'model', values: '*', excludes: ['openai/gpt-5.4'] }],
          measure: 'usd',
          on_missing: 'refuse',
          include_byok: true,
          enforcement: 'observe',
          alert_at: [0.5],
        };
        return `/limits/${await newLimit(app, organization, everything)}`;
      },
    },
    updateBYOKKey: {
      'with what it needs': async () =>
        `/byok/${await app.factory.providerKey(organization, 'openai', 'sk-round-trip')}`,
    },
    updateObservabilityDestination: Object.fromEntries(
      DESTINATION_TYPES.flatMap((type) => [
        [`of type ${type} with what it needs`, () => destination(type)],
        [`of type ${type} with everything`, everyDestination(type)],
      ]),
    ),
    updateScimGroupMapping: { 'with what it needs': () => mapping(), 'with everything': () => mapping('admin') },
    updateWorkspace: {
      'with what it needs': () => workspace(),
      'with everything': () => workspace(EVERY_WORKSPACE_SETTING),
      'that is the default one': () => Promise.resolve(`/workspaces/${organization.workspaceId}`),
    },
    upsertWorkspaceBudget: {
      'with what it needs': () => budget(),
      'with everything': () => budget({ include_byok_in_budgets: true }),
    },
  };

  /** The operations that change what a GET of the same path answers. */
  const changes = (): Operation[] =>
    api.operations.filter(
      ({ method, path }) =>
        ['PATCH', 'PUT'].includes(method) && api.operations.some((read) => read.method === 'GET' && read.path === path),
    );

  // The dialects have other names for fields of guardrails, and another status of a mapping: the rest is tried in one of them.
  const tried = dialect === 'public' ? ['updateGuardrail', 'updateScimGroupMapping'] : Object.keys(resources);

  const cases = tried.flatMap((operationId) =>
    Object.entries(resources[operationId]!).map(([state, make]) => [operationId, state, make] as const),
  );

  it('is tried for everything that can be read and changed', () => {
    expect(changes().map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(['updateKeys']));
    expect(
      changes()
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(Object.keys(resources).sort());
  });

  /** The fields that the answer of a GET may leave out where nothing is set. */
  const leftOut = (path: string): Set<string> => {
    const read = api.operations.find((operation) => operation.method === 'GET' && operation.path === path)!;
    const body = api.resolve(read.answers.get(200)!);
    const data = api.resolve(body.properties?.data ?? {});
    const names = Object.keys({ ...body.properties, ...data.properties });
    const required = new Set([...(body.required ?? []), ...(data.required ?? [])]);
    return new Set(names.filter((name) => !required.has(name)));
  };

  it.each(cases)('by %s is answered 200 and changes nothing of one %s', async (operationId, state, make) => {
    const path = await make();
    const change = changes().find((operation) => operation.operationId === operationId)!;
    const fields = Object.keys(api.resolve(change.body!).properties!);
    const read = await app.api.get<{ data: object }>(path, { key: organization.managementKey });
    expect(read.status).toBe(200);
    // Some of what can be set stands beside the resource.
    const answered = Object.entries({ ...read.body, ...read.body.data });
    const json = Object.fromEntries(answered.filter(([name]) => fields.includes(name)));
    const stored = await storedText(app);
    const absent = state.endsWith('with everything') ? new Set() : leftOut(change.path);

    const answer = await app.api.send(change.method, path, { key: organization.managementKey, json });

    expect(Object.keys(json).sort()).toEqual(
      fields.filter((field) => !isNeverAnswered(operationId, field) && (field in json || !absent.has(field))).sort(),
    );
    expect([answer.status, answer.body]).toEqual([200, read.body]);
    // Nothing at all is written: no row, not even when it was changed, and no event of a change that was none.
    expect(await storedText(app)).toEqual(stored);
    expect((await app.api.get(path, { key: organization.managementKey })).body).toEqual(read.body);
  });
});
