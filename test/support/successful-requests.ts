import { CALLBACK_URL, newChallengedCode } from './authorization-code.js';
import { DESTINATION_SAMPLES } from './destination-samples.js';
import type { TestApplication } from './test-application.js';

/** A request that an operation answers with success. */
export interface SuccessfulRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** An organization with one of everything, and what can be asked about it. */
export interface CompleteOrganization {
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly managementKey: string;
  readonly managementKeyId: string;
  readonly apiKey: string;
  readonly clientId: string;
  readonly apiKeyHash: string;
  readonly clientSecret: string;
  readonly destinationId: string;
  readonly groupId: string;
  /** A workspace besides the default one, and a member of the organization who is not in it. */
  readonly workspaceOfMembers: string;
  readonly memberId: string;
  /** By operationId; each may be sent once. */
  readonly requests: Readonly<Record<string, SuccessfulRequest>>;
  /** What must not be in any log line, nor in an answer but where it is first told. */
  readonly secrets: readonly string[];
}

/** Makes an organization with one of everything, and for every operation a request that succeeds. */
export async function completeOrganization(app: TestApplication): Promise<CompleteOrganization> {
  const { factory } = app;
  const organization = await factory.organization();
  const { organizationId, workspaceId, managementKey: key } = organization;
  await factory.enableScim(organization);
  await factory.starterCatalog();
  const groupId = await factory.scimGroup(organization);
  const apiKey = await factory.key(organization);
  const doomedKey = await factory.key(organization);
  const rotatedKey = await factory.key(organization);
  const client = await factory.client(organization);
  const rotatedClient = await factory.client(organization);
  const doomedClient = await factory.client(organization);
  await factory.budget(organizationId, workspaceId, 'monthly', 100);
  await factory.budget(organizationId, workspaceId, 'lifetime', 1000);
  const doomedWorkspaceId = await factory.workspace(organization);
  await factory.preset(organization, workspaceId, 'support-bot', [{ model: 'openai/gpt-5.4' }]);
  const { config } = DESTINATION_SAMPLES.langfuse;
  const destinationId = await factory.destination(organization, 'langfuse', config);
  const doomedDestinationId = await factory.destination(organization, 'langfuse', config);
  const newConfig = { publicKey: 'pk-lf-NEW-PUBLIC-KEY-0123', secretKey: 'sk-lf-NEW-SECRET-KEY-0123' };
  const guardrail = await factory.guardrail(organization);
  const doomedGuardrail = await factory.guardrail(organization);
  const workspaceOfMembers = await factory.workspace(organization);
  const [memberId, doomedMemberId] = [await factory.member(organizationId), await factory.member(organizationId)];
  await factory.workspaceMember(organizationId, workspaceOfMembers, doomedMemberId, 'member');
  const mappingId = await factory.scimMapping(organization, await factory.scimGroup(organization), workspaceOfMembers);
  const doomedMappingId = await factory.scimMapping(organization, await factory.scimGroup(organization), workspaceId);
  const exchange = await newChallengedCode(app, key);

  const get = (path: string): SuccessfulRequest => ({ method: 'GET', path, key });
  const send =
    (method: SuccessfulRequest['method']) =>
    (path: string, json: Readonly<Record<string, unknown>>): SuccessfulRequest => ({ method, path, key, json });
  const [post, put, patch] = [send('POST'), send('PUT'), send('PATCH')];
  const remove = (path: string): SuccessfulRequest => ({ method: 'DELETE', path, key });
  const [keys, members] = [{ key_hashes: [apiKey.hash] }, { member_user_ids: [organization.userId] }];
  const filter = { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: null };
  return {
    ...organization,
    apiKey: apiKey.plaintext,
    clientId: client.id,
    apiKeyHash: apiKey.hash,
    clientSecret: client.plaintext,
    destinationId,
    groupId,
    workspaceOfMembers,
    memberId,
    requests: {
      bulkAssignKeysToGuardrail: post(`/guardrails/${guardrail.id}/assignments/keys`, keys),
      bulkAssignMembersToGuardrail: post(`/guardrails/${guardrail.id}/assignments/members`, members),
      bulkUnassignKeysFromGuardrail: post(`/guardrails/${guardrail.id}/assignments/keys/remove`, keys),
      bulkUnassignMembersFromGuardrail: post(`/guardrails/${guardrail.id}/assignments/members/remove`, members),
      bulkAddWorkspaceMembers: post(`/workspaces/${workspaceOfMembers}/members/add`, { user_ids: [memberId] }),
      bulkRemoveWorkspaceMembers: post(`/workspaces/${workspaceOfMembers}/members/remove`, {
        user_ids: [doomedMemberId],
      }),
      createAuthKeysCode: post('/auth/keys/code', { callback_url: CALLBACK_URL, key_label: 'Label' }),
      createConnectClient: post('/connect/clients', { name: 'Client', callback_urls: [CALLBACK_URL] }),
      createGuardrail: post('/guardrails', { name: 'Everything', content_filters: [filter] }),
      createKeys: post('/keys', { name: 'Key', limit: 10, limit_reset: 'daily' }),
      createObservabilityDestination: post('/observability/destinations', {
        type: 'langfuse',
        name: 'New',
        config: newConfig,
      }),
      createPresetsChatCompletions: post('/presets/drafted/chat/completions', {
        model: 'openai/gpt-5.4',
        temperature: 0.2,
      }),
      createScimGroupMapping: post('/scim/group-mappings', { scim_group_id: groupId, workspace_id: workspaceId }),
      createWorkspace: post('/workspaces', { name: 'Research', slug: 'research' }),
      deleteConnectClient: remove(`/connect/clients/${doomedClient.id}`),
      deleteGuardrail: remove(`/guardrails/${doomedGuardrail.id}`),
      deleteKeys: remove(`/keys/${doomedKey.hash}`),
      deleteScimGroupMapping: remove(`/scim/group-mappings/${doomedMappingId}?keep_members=true`),
      deleteObservabilityDestination: remove(`/observability/destinations/${doomedDestinationId}`),
      deleteWorkspace: remove(`/workspaces/${doomedWorkspaceId}`),
      deleteWorkspaceBudget: remove(`/workspaces/${workspaceId}/budgets/monthly`),
      exchangeAuthCodeForAPIKey: post('/auth/keys', exchange),
      getConnectClient: get(`/connect/clients/${client.id}`),
      getCurrentKey: get('/key'),
      getEffectiveGuardrails: get(`/guardrails/effective?key_hash=${apiKey.hash}&with=${guardrail.id}`),
      getGuardrail: get(`/guardrails/${guardrail.id}`),
      getKey: get(`/keys/${apiKey.hash}`),
      getModel: get('/model/openai/gpt-5.4'),
      getModels: get('/models?limit=5'),
      getObservabilityDestination: get(`/observability/destinations/${destinationId}`),
      getPreset: get('/presets/support-bot'),
      getPresetVersion: get('/presets/support-bot/versions/1'),
      getWorkspace: get(`/workspaces/${workspaceId}`),
      getWorkspaceBudget: get(`/workspaces/${workspaceId}/budgets/lifetime`),
      list: get('/keys'),
      getScimGroupMapping: get(`/scim/group-mappings/${mappingId}`),
      listAuditEvents: get('/audit-events'),
      listConnectClients: get('/connect/clients'),
      listEndpoints: get('/models/openai/gpt-5.4/endpoints'),
      listEndpointsZdr: get('/endpoints/zdr'),
      listGuardrailKeyAssignments: get(`/guardrails/${guardrail.id}/assignments/keys`),
      listGuardrailMemberAssignments: get(`/guardrails/${guardrail.id}/assignments/members`),
      listGuardrails: get('/guardrails'),
      listImageModelEndpoints: get('/images/models/openai/gpt-image-2/endpoints'),
      listImageModels: get('/images/models'),
      listKeyAssignments: get('/guardrails/assignments/keys'),
      listMemberAssignments: get('/guardrails/assignments/members'),
      listModelsCount: get('/models/count'),
      listObservabilityDestinations: get('/observability/destinations'),
      listModelsUser: get('/models/user'),
      listOrganizationMembers: get('/organization/members'),
      listPresetVersions: get('/presets/support-bot/versions'),
      listPresets: get('/presets'),
      listProviders: get('/providers'),
      listScimGroupMappings: get('/scim/group-mappings'),
      listScimGroups: get('/scim/groups'),
      listWorkspaceBudgets: get(`/workspaces/${workspaceId}/budgets`),
      listWorkspaceMembers: get(`/workspaces/${workspaceId}/members`),
      listWorkspaces: get('/workspaces'),
      rotateConnectClientSecret: post(`/connect/clients/${rotatedClient.id}/rotate-secret`, { grace_seconds: 60 }),
      rotateKey: post(`/keys/${rotatedKey.hash}/rotate`, { grace_seconds: 60 }),
      updateScimGroupMapping: patch(`/scim/group-mappings/${mappingId}`, { role: 'admin' }),
      updateGuardrail: patch(`/guardrails/${guardrail.id}`, { content_filters: [filter] }),
      updateObservabilityDestination: patch(`/observability/destinations/${destinationId}`, {
        config: { secretKey: newConfig.secretKey, headers: { Authorization: newConfig.publicKey } },
      }),
      updateKeys: { method: 'PATCH', path: `/keys/${apiKey.hash}`, key, json: { name: 'Renamed' } },
      updateWorkspace: patch(`/workspaces/${workspaceId}`, { description: 'Everything' }),
      upsertWorkspaceBudget: put(`/workspaces/${workspaceId}/budgets/weekly`, { limit_usd: 50 }),
    },
    secrets: [
      key,
      apiKey.plaintext,
      doomedKey.plaintext,
      rotatedKey.plaintext,
      client.plaintext,
      rotatedClient.plaintext,
      doomedClient.plaintext,
      exchange.code,
      exchange.code_verifier,
      String(config['publicKey']),
      String(config['secretKey']),
      newConfig.publicKey,
      newConfig.secretKey,
    ],
  };
}
