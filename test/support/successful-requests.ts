import { CALLBACK_URL, newChallengedCode } from './authorization-code.js';
import { DESTINATION_SAMPLES } from './destination-samples.js';
import type { TestApplication } from './test-application.js';

/** A request that an operation answers with success. */
export interface SuccessfulRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
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
  readonly apiKey: string;
  readonly clientSecret: string;
  readonly destinationId: string;
  readonly groupId: string;
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
  const client = await factory.client(organization);
  await factory.budget(organizationId, workspaceId, 'monthly', 100);
  await factory.preset(organization, workspaceId, 'support-bot', [{ model: 'openai/gpt-5.4' }]);
  const { config } = DESTINATION_SAMPLES.langfuse;
  const destinationId = await factory.destination(organization, 'langfuse', config);
  const exchange = await newChallengedCode(app, key);

  const get = (path: string): SuccessfulRequest => ({ method: 'GET', path, key });
  const post = (path: string, json: Readonly<Record<string, unknown>>): SuccessfulRequest => ({
    method: 'POST',
    path,
    key,
    json,
  });
  const remove = (path: string): SuccessfulRequest => ({ method: 'DELETE', path, key });
  const filter = { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: null };
  return {
    ...organization,
    apiKey: apiKey.plaintext,
    clientSecret: client.plaintext,
    destinationId,
    groupId,
    requests: {
      createAuthKeysCode: post('/auth/keys/code', { callback_url: CALLBACK_URL, key_label: 'Label' }),
      createGuardrail: post('/guardrails', { name: 'Everything', content_filters: [filter] }),
      createScimGroupMapping: post('/scim/group-mappings', { scim_group_id: groupId, workspace_id: workspaceId }),
      deleteKeys: remove(`/keys/${doomedKey.hash}`),
      deleteWorkspaceBudget: remove(`/workspaces/${workspaceId}/budgets/monthly`),
      exchangeAuthCodeForAPIKey: post('/auth/keys', exchange),
      getModel: get('/model/openai/gpt-5.4'),
      getObservabilityDestination: get(`/observability/destinations/${destinationId}`),
      listGuardrails: get('/guardrails'),
      listImageModels: get('/images/models'),
      listPresetVersions: get('/presets/support-bot/versions'),
      listScimGroupMappings: get('/scim/group-mappings'),
      listWorkspaceMembers: get(`/workspaces/${workspaceId}/members`),
    },
    secrets: [
      key,
      apiKey.plaintext,
      doomedKey.plaintext,
      client.plaintext,
      exchange.code,
      exchange.code_verifier,
      String(config['publicKey']),
      String(config['secretKey']),
    ],
  };
}
