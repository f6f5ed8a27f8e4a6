import { randomUUID } from 'node:crypto';
import { DeclaredRoutes } from '../../../src/auth/declared-routes.js';
import type { CredentialKind } from '../../../src/auth/principal.js';
import { readEnvironment } from '../../../src/config/environment.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/keys/dto/exchange-code-response.dto.js';
import { issueAuthorizationCode, issueCredential } from '../../../src/modules/keys/key-format.js';
import type { Answer } from '../../support/api-client.js';
import { CALLBACK_URL, newChallengedCode, newCode, sha256 } from '../../support/authorization-code.js';
import { sendRawRequest } from '../../support/raw-request.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';

const KINDS: readonly CredentialKind[] = ['management_key', 'api_key', 'client_secret'];

const ANONYMOUS_OPERATIONS = ['exchangeAuthCodeForAPIKey', 'listImageModels', 'getModel'] as const;

/** The operations whose success is a 201. */
const CREATIONS = new Set([
  'createConnectClient',
  'createGuardrail',
  'createKeys',
  'createObservabilityDestination',
  'createWorkspace',
  'rotateConnectClientSecret',
  'rotateKey',
]);

/** A request that succeeds with the right credential. */
interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

/** Who may call an operation, and how. */
interface Operation {
  readonly allowed: readonly CredentialKind[];
  /** Makes a request that was not made before. */
  readonly prepare: () => Promise<PreparedRequest> | PreparedRequest;
}

describe('authentication', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let memberId: string;
  let credentials: Record<CredentialKind, string>;
  let clientId: string;
  let workspaceId: string;
  let destinationId: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    await app.factory.starterCatalog();
    organization = await app.factory.organization();
    memberId = await app.factory.member(organization.organizationId);
    const client = await app.factory.client(organization);
    clientId = client.id;
    credentials = {
      management_key: organization.managementKey,
      api_key: (await app.factory.key(organization, { userId: memberId })).plaintext,
      client_secret: client.plaintext,
    };
    workspaceId = await app.factory.workspace(organization);
    await app.factory.enableScim(organization);
    await app.factory.preset(organization, organization.workspaceId, 'preset', [{ model: 'openai/gpt-audio' }]);
    destinationId = await app.factory.destination(organization, 'webhook', { url: 'https://example.com/hook' });
  });

  afterAll(() => app.stop());

  /** The user that a credential of the organization belongs to. */
  const userOf = (kind: CredentialKind): { userId?: string } => {
    if (kind === 'client_secret') return {};
    return { userId: kind === 'api_key' ? memberId : organization.userId };
  };

  const newGuardrailPath = async (): Promise<string> => `/guardrails/${(await app.factory.guardrail(organization)).id}`;

  const newMappingPath = async (): Promise<string> => {
    const group = await app.factory.scimGroup(organization);
    return `/scim/group-mappings/${await app.factory.scimMapping(organization, group, workspaceId)}`;
  };

  // The table of DECISIONS.md, section 3, and the one operation that it does not list (section 4).
  const operations: Record<string, Operation> = {
    createGuardrail: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'POST', path: '/guardrails', json: { name: 'Test' } }),
    },
    listAuditEvents: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/audit-events' }) },
    getEffectiveGuardrails: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'GET',
        path: `/guardrails/effective?key_hash=${(await app.factory.key(organization)).hash}`,
      }),
    },
    listModelsUser: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/models/user' }),
    },
    getGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'GET', path: await newGuardrailPath() }),
    },
    updateGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'PATCH', path: await newGuardrailPath(), json: { name: 'Another' } }),
    },
    bulkAssignKeysToGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: `${await newGuardrailPath()}/assignments/keys`,
        json: { key_hashes: [(await app.factory.key(organization)).hash] },
      }),
    },
    bulkAssignMembersToGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: `${await newGuardrailPath()}/assignments/members`,
        json: { member_user_ids: [memberId] },
      }),
    },
    bulkUnassignKeysFromGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: `${await newGuardrailPath()}/assignments/keys/remove`,
        json: { key_hashes: [(await app.factory.key(organization)).hash] },
      }),
    },
    bulkUnassignMembersFromGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: `${await newGuardrailPath()}/assignments/members/remove`,
        json: { member_user_ids: [memberId] },
      }),
    },
    listGuardrailKeyAssignments: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'GET', path: `${await newGuardrailPath()}/assignments/keys` }),
    },
    listGuardrailMemberAssignments: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'GET', path: `${await newGuardrailPath()}/assignments/members` }),
    },
    listKeyAssignments: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: '/guardrails/assignments/keys' }),
    },
    listMemberAssignments: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: '/guardrails/assignments/members' }),
    },
    deleteGuardrail: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'DELETE', path: await newGuardrailPath() }),
    },
    listGuardrails: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/guardrails' }) },
    createScimGroupMapping: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: '/scim/group-mappings',
        json: { scim_group_id: await app.factory.scimGroup(organization), workspace_id: workspaceId },
      }),
    },
    getScimGroupMapping: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'GET', path: await newMappingPath() }),
    },
    updateScimGroupMapping: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'PATCH', path: await newMappingPath(), json: { role: 'admin' } }),
    },
    deleteScimGroupMapping: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'DELETE', path: `${await newMappingPath()}?keep_members=false` }),
    },
    listScimGroups: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/scim/groups' }) },
    bulkAddWorkspaceMembers: {
      allowed: ['management_key'],
      prepare: () => ({
        method: 'POST',
        path: `/workspaces/${workspaceId}/members/add`,
        json: { user_ids: [memberId] },
      }),
    },
    bulkRemoveWorkspaceMembers: {
      allowed: ['management_key'],
      prepare: async () => {
        const user_ids = [await app.factory.member(organization.organizationId)];
        return { method: 'POST', path: `/workspaces/${workspaceId}/members/remove`, json: { user_ids } };
      },
    },
    listScimGroupMappings: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: '/scim/group-mappings' }),
    },
    listWorkspaceMembers: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: `/workspaces/${workspaceId}/members` }),
    },
    getObservabilityDestination: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: `/observability/destinations/${destinationId}` }),
    },
    listOrganizationMembers: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: '/organization/members' }),
    },
    listWorkspaces: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/workspaces' }) },
    createWorkspace: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'POST', path: '/workspaces', json: { name: 'Test', slug: `test-${randomUUID()}` } }),
    },
    getWorkspace: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: `/workspaces/${workspaceId}` }),
    },
    updateWorkspace: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'PATCH', path: `/workspaces/${workspaceId}`, json: { name: 'Test' } }),
    },
    deleteWorkspace: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'DELETE', path: `/workspaces/${await app.factory.workspace(organization)}` }),
    },
    listWorkspaceBudgets: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: `/workspaces/${workspaceId}/budgets` }),
    },
    upsertWorkspaceBudget: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'PUT', path: `/workspaces/${workspaceId}/budgets/monthly`, json: { limit_usd: 1 } }),
    },
    getWorkspaceBudget: {
      allowed: ['management_key'],
      prepare: async () => {
        await app.factory.budget(organization.organizationId, workspaceId, 'monthly', 1);
        return { method: 'GET', path: `/workspaces/${workspaceId}/budgets/monthly` };
      },
    },
    deleteWorkspaceBudget: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'DELETE', path: `/workspaces/${workspaceId}/budgets/daily` }),
    },
    createKeys: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'POST', path: '/keys', json: { name: 'Test' } }),
    },
    list: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/keys' }) },
    getKey: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'GET', path: `/keys/${(await app.factory.key(organization)).hash}` }),
    },
    updateKeys: {
      allowed: ['management_key'],
      prepare: async () => {
        const { hash } = await app.factory.key(organization);
        return { method: 'PATCH', path: `/keys/${hash}`, json: { name: 'Renamed' } };
      },
    },
    rotateKey: {
      allowed: ['management_key'],
      prepare: async () => ({ method: 'POST', path: `/keys/${(await app.factory.key(organization)).hash}/rotate` }),
    },
    getCurrentKey: { allowed: ['management_key', 'api_key'], prepare: () => ({ method: 'GET', path: '/key' }) },
    createConnectClient: {
      allowed: ['management_key'],
      prepare: () => ({
        method: 'POST',
        path: '/connect/clients',
        json: { name: 'Test', callback_urls: ['https://test.example.com/'] },
      }),
    },
    listConnectClients: { allowed: ['management_key'], prepare: () => ({ method: 'GET', path: '/connect/clients' }) },
    getConnectClient: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: `/connect/clients/${clientId}` }),
    },
    deleteConnectClient: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'DELETE',
        path: `/connect/clients/${(await app.factory.client(organization)).id}`,
      }),
    },
    rotateConnectClientSecret: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: `/connect/clients/${(await app.factory.client(organization)).id}/rotate-secret`,
      }),
    },
    deleteKeys: {
      allowed: ['management_key', 'client_secret'],
      prepare: async () => {
        const { hash } = await app.factory.key(organization, { connectClientId: clientId });
        return { method: 'DELETE', path: `/keys/${hash}` };
      },
    },
    exchangeAuthCodeForAPIKey: {
      allowed: KINDS,
      prepare: async () => ({
        method: 'POST',
        path: '/auth/keys',
        json: await newChallengedCode(app, organization.managementKey),
      }),
    },
    listImageModels: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/images/models' }),
    },
    createObservabilityDestination: {
      allowed: ['management_key'],
      prepare: async () => ({
        method: 'POST',
        path: '/observability/destinations',
        json: {
          name: 'Test',
          type: 'newrelic',
          config: { licenseKey: 'a-licence-key' },
          workspace_id: await app.factory.workspace(organization),
        },
      }),
    },
    listObservabilityDestinations: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'GET', path: '/observability/destinations' }),
    },
    updateObservabilityDestination: {
      allowed: ['management_key'],
      prepare: () => ({
        method: 'PATCH',
        path: `/observability/destinations/${destinationId}`,
        json: { enabled: false },
      }),
    },
    deleteObservabilityDestination: {
      allowed: ['management_key'],
      prepare: async () => {
        const id = await app.factory.destination(organization, 'webhook', { url: 'https://example.com/hook' });
        return { method: 'DELETE', path: `/observability/destinations/${id}` };
      },
    },
    listPresetVersions: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/presets/preset/versions' }),
    },
    getModel: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/model/openai/gpt-audio' }),
    },
    getModels: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/models' }),
    },
    getPreset: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/presets/preset' }),
    },
    getPresetVersion: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/presets/preset/versions/1' }),
    },
    listEndpoints: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/models/openai/gpt-audio/endpoints' }),
    },
    listEndpointsZdr: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/endpoints/zdr' }),
    },
    listImageModelEndpoints: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/images/models/openai/gpt-5.4-image-2/endpoints' }),
    },
    listModelsCount: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/models/count' }),
    },
    listPresets: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/presets' }),
    },
    listProviders: {
      allowed: ['management_key', 'api_key'],
      prepare: () => ({ method: 'GET', path: '/providers' }),
    },
    createPresetsChatCompletions: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'POST', path: '/presets/another/chat/completions', json: { temperature: 0.5 } }),
    },
    createAuthKeysCode: {
      allowed: ['management_key'],
      prepare: () => ({ method: 'POST', path: '/auth/keys/code', json: { callback_url: CALLBACK_URL } }),
    },
  };

  const NAMES = Object.keys(operations);

  const send = async (name: string, key: string | undefined, { api } = app): Promise<Answer> => {
    const { method, path, json } = await operations[name]!.prepare();
    return api.send(method, path, { ...(json !== undefined && { json }), ...(key !== undefined && { key }) });
  };

  /** Sends exactly these headers; names and values in turn. */
  const sendHeaders = async (name: string, headers: readonly string[], { origin } = app): Promise<Answer> => {
    const { method, path } = await operations[name]!.prepare();
    return sendRawRequest(method, `${origin}${app.environment.apiBasePath}${path}`, headers);
  };

  const statusFor = (name: string, kind: CredentialKind): number => {
    if (!operations[name]!.allowed.includes(kind)) return 403;
    return CREATIONS.has(name) ? 201 : 200;
  };

  const expectUnauthorized = (answer: Answer, reason: string): void => {
    expectRefusal(answer, { status: 401, reason });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  };

  it('is tested for every operation that there is', () => {
    const routes = app.application.get(DeclaredRoutes).all();

    expect(
      routes
        .filter(({ isOperation }) => isOperation)
        .map(({ method }) => method)
        .sort(),
    ).toEqual([...NAMES].sort());
  });

  describe('by kind', () => {
    const table = NAMES.flatMap((name) => KINDS.map((kind) => [name, kind] as const));
    const takes = ([name, kind]: readonly [string, CredentialKind]): boolean =>
      operations[name]!.allowed.includes(kind);

    it.each(table.filter(takes))('%s takes a %s', async (name, kind) => {
      const answer = await send(name, credentials[kind]);

      expect(answer.status).toBe(statusFor(name, kind));
      expect(answer.status).toBeLessThan(300);
    });

    it.each(table.filter((entry) => !takes(entry)))('%s refuses a %s', async (name, kind) => {
      const answer = await send(name, credentials[kind]);

      expectRefusal(answer, { status: 403, reason: 'credential_kind_not_allowed', ...userOf(kind) });
      expect(answer.headers.get('www-authenticate')).toBeNull();
    });
  });

  describe('of every operation refuses', () => {
    const malformed: [name: string, headers: () => string[]][] = [
      ['"Bearer"', () => ['Authorization', 'Bearer']],
      ['"Bearer "', () => ['Authorization', 'Bearer ']],
      ['"Bearer  x"', () => ['Authorization', 'Bearer  x']],
      ['"Basic x"', () => ['Authorization', 'Basic x']],
      ['an empty header', () => ['Authorization', '']],
      ['a credential without a scheme', () => ['Authorization', credentials.management_key]],
      ['a credential of another scheme', () => ['Authorization', `Token ${credentials.management_key}`]],
      ['two spaces before a credential', () => ['Authorization', `Bearer  ${credentials.management_key}`]],
      ['a tab before a credential', () => ['Authorization', `Bearer\t${credentials.management_key}`]],
      ['something behind a credential', () => ['Authorization', `Bearer ${credentials.management_key} x`]],
      ['two credentials', () => ['Authorization', `Bearer ${credentials.management_key}, ${credentials.api_key}`]],
      ['a quoted credential', () => ['Authorization', `Bearer "${credentials.management_key}"`]],
      [
        'two headers',
        () => [
          'Authorization',
          `Bearer ${credentials.management_key}`,
          'Authorization',
          `Bearer ${credentials.api_key}`,
        ],
      ],
      [
        'two headers with one credential',
        () => ['Authorization', `Bearer ${credentials.api_key}`, 'authorization', `Bearer ${credentials.api_key}`],
      ],
      [
        'a second header of another scheme',
        () => ['Authorization', `Bearer ${credentials.api_key}`, 'AUTHORIZATION', 'Basic x'],
      ],
      ['a second, empty header', () => ['Authorization', `Bearer ${credentials.api_key}`, 'Authorization', '']],
    ];

    const unaccepted: [name: string, credential: () => Promise<string> | string][] = [
      ['another word', () => 'x'],
      ['the example of the documentation', () => `sk-gate-v1-${'0123456789abcdef'.repeat(4)}01234567`],
      ['an unknown management key', () => issueCredential('management_key').plaintext],
      ['an unknown API key', () => issueCredential('api_key').plaintext],
      ['an unknown client secret', () => issueCredential('client_secret').plaintext],
      ['a management key with a slip in it', () => withSlip(credentials.management_key)],
      ['an API key with a slip in it', () => withSlip(credentials.api_key)],
      ['a client secret with a slip in it', () => withSlip(credentials.client_secret)],
      ['the hash of a management key', () => sha256(credentials.management_key)],
      ['a key in capitals', () => credentials.management_key.toUpperCase()],
      ['a key that is cut off', () => credentials.management_key.slice(0, -1)],
      ['a key with a digit more', () => `${credentials.management_key}0`],
      ['a key of another kind', () => credentials.api_key.replace('sk-', 'mk-')],
      ['an authorization code', () => newCode(app, organization.managementKey)],
      ['an unknown authorization code', () => issueAuthorizationCode().plaintext],
      ['a very long credential', () => `mk-gate-v1-${'0'.repeat(8_000)}`],
    ];

    /** What makes a credential unacceptable after the fact. */
    const revocations: [name: string, reason: string, statement: string][] = [
      ['disabled', 'credential_disabled', 'UPDATE api_keys SET disabled = true WHERE id = $1'],
      ['expired', 'credential_expired', 'UPDATE api_keys SET expires_at = now() WHERE id = $1'],
      [
        'disabled and expired',
        'credential_disabled',
        'UPDATE api_keys SET disabled = true, expires_at = now() WHERE id = $1',
      ],
      ['deleted', 'invalid_credential', 'DELETE FROM api_keys WHERE id = $1'],
    ];

    it.each(NAMES)('a missing header: %s', async (name) => {
      expectUnauthorized(await send(name, undefined), 'missing_credential');
    });

    it.each(malformed)('%s', async (_, headers) => {
      for (const name of NAMES) expectUnauthorized(await sendHeaders(name, headers()), 'malformed_credential');
    });

    it.each(unaccepted)('%s', async (_, credential) => {
      for (const name of NAMES) expectUnauthorized(await send(name, await credential()), 'invalid_credential');
    });

    it.each(revocations)('a key that is %s', async (_, reason, statement) => {
      for (const kind of ['management_key', 'api_key'] as const) {
        for (const name of NAMES) {
          const { id, plaintext } = await app.factory.key(organization, { kind });
          expect((await send(name, plaintext)).status).toBe(statusFor(name, kind));
          await app.rows(statement, [id]);
          expectUnauthorized(await send(name, plaintext), reason);
        }
      }
    });

    it('the secret of a client that is deleted', async () => {
      const { id, plaintext } = await app.factory.client(organization);
      expect((await send('exchangeAuthCodeForAPIKey', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM connect_clients WHERE id = $1', [id]);

      for (const name of NAMES) expectUnauthorized(await send(name, plaintext), 'invalid_credential');
    });

    it('the key of a user who is no member any more', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const { plaintext } = await app.factory.key(organization, { userId });
      expect((await send('listImageModels', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [userId]);

      for (const name of NAMES) expectUnauthorized(await send(name, plaintext), 'invalid_credential');
    });
  });

  describe('accepts', () => {
    it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s', async (scheme) => {
      const headers = ['authorization', `${scheme} ${credentials.management_key}`];

      expect((await sendHeaders('listGuardrails', headers)).status).toBe(200);
    });

    it('a key that expires later', async () => {
      const { plaintext } = await app.factory.key(organization, { expiresAt: new Date(Date.now() + 3_600_000) });

      expect((await send('listImageModels', plaintext)).status).toBe(200);
    });
  });

  describe('comes first', () => {
    it('is asked for ahead of the form of a request', async () => {
      const request = { raw: '{', headers: { 'content-type': 'text/plain' } };

      expectUnauthorized(await app.api.post('/guardrails?x=1', request), 'missing_credential');
      expectUnauthorized(await app.api.post('/guardrails?x=1', { ...request, key: 'x' }), 'invalid_credential');
      expectRefusal(await app.api.post('/guardrails?x=1', { ...request, key: credentials.api_key }), {
        status: 403,
        reason: 'credential_kind_not_allowed',
        ...userOf('api_key'),
      });
    });

    it('is asked for ahead of what exists', async () => {
      const paths = ['/model/nobody/nothing', `/workspaces/nowhere/members`, '/observability/destinations/x'];

      for (const path of paths) {
        expectUnauthorized(await app.api.get(path), 'missing_credential');
        expectRefusal(await app.api.get(path, { key: credentials.client_secret }), {
          status: 403,
          reason: 'credential_kind_not_allowed',
        });
      }
    });

    it('tells the user of a credential in every refusal that follows', async () => {
      const key = credentials.api_key;

      expectRefusal(await app.api.get('/model/nobody/nothing', { key }), {
        status: 404,
        reason: 'model_not_found',
        ...userOf('api_key'),
      });
      expectRefusal(await app.api.get('/presets/NOT-A-SLUG/versions', { key }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['slug'],
        ...userOf('api_key'),
      });
      expectRefusal(await app.api.delete('/keys/x', { key: credentials.client_secret }), {
        status: 404,
        reason: 'key_not_found',
      });
    });
  });

  describe('with ANONYMOUS_OPERATIONS', () => {
    const started: TestApplication[] = [];

    afterAll(() => Promise.all(started.map((replica) => replica.stop())));

    const opening = async (...names: string[]): Promise<TestApplication> => {
      const variables = { ANONYMOUS_OPERATIONS: names.join(',') };
      const replica = await TestApplication.start({ variables, database: app.database });
      started.push(replica);
      return replica;
    };

    const isAnonymous = (name: string): boolean => (ANONYMOUS_OPERATIONS as readonly string[]).includes(name);

    it('opens exactly the three', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      for (const name of NAMES) {
        const answer = await send(name, undefined, open);
        if (isAnonymous(name)) expect([name, answer.status]).toEqual([name, 200]);
        else expectUnauthorized(answer, 'missing_credential');
      }
    });

    it.each(ANONYMOUS_OPERATIONS)('opens %s alone', async (opened) => {
      const open = await opening(opened);

      for (const name of NAMES) {
        const answer = await send(name, undefined, open);
        if (name === opened) expect(answer.status).toBe(200);
        else expectUnauthorized(answer, 'missing_credential');
      }
    });

    it('refuses a credential that is sent all the same and is not valid', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);
      const disabled = await app.factory.key(organization);
      await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);

      for (const name of ANONYMOUS_OPERATIONS) {
        expectUnauthorized(await send(name, issueCredential('api_key').plaintext, open), 'invalid_credential');
        expectUnauthorized(await send(name, withSlip(credentials.api_key), open), 'invalid_credential');
        expectUnauthorized(await send(name, disabled.plaintext, open), 'credential_disabled');
        for (const value of ['', 'Bearer', 'Bearer ', 'Bearer  x', 'Basic x']) {
          expectUnauthorized(await sendHeaders(name, ['Authorization', value], open), 'malformed_credential');
        }
        const twice = ['Authorization', `Bearer ${credentials.api_key}`];
        expectUnauthorized(await sendHeaders(name, [...twice, ...twice], open), 'malformed_credential');
      }
    });

    it('still holds a valid credential against the table', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      for (const name of ANONYMOUS_OPERATIONS) {
        for (const kind of KINDS) {
          const { status } = await send(name, credentials[kind], open);
          expect([name, kind, status]).toEqual([name, kind, statusFor(name, kind)]);
        }
      }
    });

    it('makes keys that belong to no client, of codes that belong to no client', async () => {
      const open = await opening('exchangeAuthCodeForAPIKey');
      const url = 'https://client.example.com/callback';
      await app.factory.client(organization, [url]);
      const bound = await newChallengedCode(app, organization.managementKey, { callback_url: url });
      const free = await newChallengedCode(app, organization.managementKey);

      const refused = await open.api.post('/auth/keys', { json: bound });
      const { status, body } = await open.api.post<ExchangeAuthCodeResponse>('/auth/keys', { json: free });

      expectRefusal(refused, { status: 403, reason: 'invalid_authorization_code' });
      expect(status).toBe(200);
      expect(body.user_id).toBe(organization.userId);
      expect(
        await app.rows('SELECT organization_id, user_id, kind, connect_client_id FROM api_keys WHERE hash = $1', [
          Buffer.from(sha256(body.key), 'hex'),
        ]),
      ).toEqual([
        {
          organization_id: organization.organizationId,
          user_id: organization.userId,
          kind: 'api_key',
          connect_client_id: null,
        },
      ]);
    });

    it('tells no user where there is no credential', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      expectRefusal(await open.api.get('/model/nobody/nothing'), { status: 404, reason: 'model_not_found' });
      expectRefusal(await open.api.post('/auth/keys', { json: {} }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['code'],
      });
    });

    it.each(['createGuardrail', 'deleteKeys', 'exchangeAuthCode', 'getModel,listGuardrails', '*', 'GETMODEL'])(
      'cannot open %s',
      (names) => {
        expect(() => readEnvironment({ ANONYMOUS_OPERATIONS: names })).toThrow(/ANONYMOUS_OPERATIONS/);
      },
    );
  });
});

/** The credential with one digit of its random part changed, so that its checksum does not fit. */
function withSlip(credential: string): string {
  const index = 20;
  const digit = credential[index] === '0' ? '1' : '0';
  return `${credential.slice(0, index)}${digit}${credential.slice(index + 1)}`;
}
