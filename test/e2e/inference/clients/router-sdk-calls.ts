import type { OpenRouter } from '@openrouter/sdk';
import type { SampleOrganization } from '../../../operations/sample-organization.js';
import { DESTINATION_SAMPLES } from '../../../support/resources/destination-samples.js';

/** Clients with the credentials of an organization. */
export interface RouterClients {
  readonly managing: OpenRouter;
  readonly asking: OpenRouter;
  readonly organization: SampleOrganization;
}

/** One operation by its id, as the SDK calls it. It throws if the SDK cannot read the answer. */
export type SdkCall = readonly [operationId: string, call: (clients: RouterClients) => Promise<unknown>];

/** Reads a list to its end. */
async function drained(pages: Promise<AsyncIterable<unknown>>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const page of await pages) read.push(page);
  return read;
}

const CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hi' }] } as const;

const RESPONSE = { model: 'gatehouse/echo', input: 'Hi' };

const BUDGET = { workspaceRef: '', interval: 'daily' } as const;

/** Asks for a stream, and reads it to its end. */
async function streamed(events: Promise<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const event of (await events) as AsyncIterable<unknown>) read.push(event);
  expect(read.length).toBeGreaterThan(1);
  return read;
}

async function idOfGeneration({ asking }: RouterClients): Promise<string> {
  const { id } = (await asking.chat.send({ chatRequest: { ...CHAT, messages: [...CHAT.messages] } })) as { id: string };
  return id;
}

const KEYS: SdkCall[] = [
  [
    'createKeys',
    ({ managing }) => managing.apiKeys.create({ requestBody: { name: 'New', limit: 5, limitReset: 'daily' } }),
  ],
  ['list', ({ managing }) => managing.apiKeys.list({})],
  ['getKey', ({ managing, organization: { apiKeyHash: hash } }) => managing.apiKeys.get({ hash })],
  [
    'updateKeys',
    ({ managing, organization: { apiKeyHash: hash } }) =>
      managing.apiKeys.update({ hash, requestBody: { name: 'Renamed' } }),
  ],
  ['getCurrentKey', ({ asking }) => asking.apiKeys.getCurrentKeyMetadata()],
  [
    'deleteKeys',
    async ({ managing }) => {
      const { data } = await managing.apiKeys.create({ requestBody: { name: 'Old' } });
      return managing.apiKeys.delete({ hash: data.hash });
    },
  ],
  [
    'createAuthKeysCode',
    ({ managing }) =>
      managing.oAuth.createAuthCode({ requestBody: { callbackUrl: 'https://app.example.com/callback' } }),
  ],
  [
    'exchangeAuthCodeForAPIKey',
    async ({ managing }) => {
      const callbackUrl = 'https://app.example.com/callback';
      const { data } = await managing.oAuth.createAuthCode({ requestBody: { callbackUrl } });
      return managing.oAuth.exchangeAuthCodeForAPIKey({ requestBody: { code: data.id } });
    },
  ],
];

const BYOK: SdkCall[] = [
  [
    'createBYOKKey',
    ({ managing }) =>
      managing.byok.create({
        createBYOKKeyRequest: {
          provider: 'mistral',
          key: 'sk-mistral-0123456789',
          isRequired: true,
          declaredZdr: false,
        },
      }),
  ],
  ['listBYOKKeys', ({ managing }) => drained(managing.byok.list({}))],
  ['getBYOKKey', ({ managing, organization: { providerKeyId: id } }) => managing.byok.get({ id })],
  [
    'updateBYOKKey',
    ({ managing, organization: { providerKeyId: id } }) =>
      managing.byok.update({ id, updateBYOKKeyRequest: { isByokOnly: true, declaredZdr: true } }),
  ],
  [
    'deleteBYOKKey',
    async ({ managing }) => {
      const made = await managing.byok.create({ createBYOKKeyRequest: { provider: 'groq', key: 'gsk-0123456789' } });
      return managing.byok.delete({ id: made.data.id });
    },
  ],
];

const GUARDRAILS: SdkCall[] = [
  [
    'createGuardrail',
    ({ managing }) =>
      managing.guardrails.create({
        createGuardrailRequest: { name: 'New', allowedDataRegions: ['europe'] },
      }),
  ],
  ['listGuardrails', ({ managing }) => drained(managing.guardrails.list({}))],
  ['getGuardrail', ({ managing, organization: { guardrailId: id } }) => managing.guardrails.get({ id })],
  [
    'updateGuardrail',
    ({ managing, organization: { guardrailId: id } }) =>
      managing.guardrails.update({ id, updateGuardrailRequest: { description: 'Changed' } }),
  ],
  [
    'bulkAssignKeysToGuardrail',
    ({ managing, organization: { guardrailId: id, apiKeyHash } }) =>
      managing.guardrails.bulkAssignKeys({ id, bulkAssignKeysRequest: { keyHashes: [apiKeyHash] } }),
  ],
  [
    'listGuardrailKeyAssignments',
    ({ managing, organization: { guardrailId: id } }) =>
      drained(managing.guardrails.listGuardrailKeyAssignments({ id })),
  ],
  ['listKeyAssignments', ({ managing }) => drained(managing.guardrails.listKeyAssignments({}))],
  [
    'bulkUnassignKeysFromGuardrail',
    ({ managing, organization: { guardrailId: id, apiKeyHash } }) =>
      managing.guardrails.bulkUnassignKeys({ id, bulkUnassignKeysRequest: { keyHashes: [apiKeyHash] } }),
  ],
  [
    'bulkAssignMembersToGuardrail',
    ({ managing, organization: { guardrailId: id, memberId } }) =>
      managing.guardrails.bulkAssignMembers({ id, bulkAssignMembersRequest: { memberUserIds: [memberId] } }),
  ],
  [
    'listGuardrailMemberAssignments',
    ({ managing, organization: { guardrailId: id } }) =>
      drained(managing.guardrails.listGuardrailMemberAssignments({ id })),
  ],
  ['listMemberAssignments', ({ managing }) => drained(managing.guardrails.listMemberAssignments({}))],
  [
    'bulkUnassignMembersFromGuardrail',
    ({ managing, organization: { guardrailId: id, memberId } }) =>
      managing.guardrails.bulkUnassignMembers({ id, bulkUnassignMembersRequest: { memberUserIds: [memberId] } }),
  ],
  [
    'deleteGuardrail',
    async ({ managing }) => {
      const { data } = await managing.guardrails.create({ createGuardrailRequest: { name: 'Old' } });
      return managing.guardrails.delete({ id: data.id });
    },
  ],
];

const CATALOG: SdkCall[] = [
  ['getModels', ({ asking }) => drained(asking.models.list({}))],
  ['listModelsCount', ({ asking }) => asking.models.count({})],
  ['getModel', ({ asking }) => asking.models.get({ author: 'openai', slug: 'gpt-5.4' })],
  [
    'listModelsUser',
    ({ asking, organization: { apiKey } }) => drained(asking.models.listForUser({ bearer: apiKey }, {})),
  ],
  ['listEndpoints', ({ asking }) => asking.endpoints.list({ author: 'openai', slug: 'gpt-5.4' })],
  ['listEndpointsZdr', ({ asking }) => asking.endpoints.listZdrEndpoints()],
  ['listEmbeddingsModels', ({ asking }) => drained(asking.embeddings.listModels({}))],
  ['listProviders', ({ asking }) => asking.providers.list()],
  ['listImageModels', ({ asking }) => asking.images.listModels()],
  [
    'listImageModelEndpoints',
    async ({ asking }) => {
      const { data } = await asking.images.listModels();
      const [author, slug] = data[0]!.id.split('/') as [string, string];
      return asking.images.listModelEndpoints({ author, slug });
    },
  ],
];

const INFERENCE: SdkCall[] = [
  [
    'sendChatCompletionRequest',
    ({ asking }) => asking.chat.send({ chatRequest: { ...CHAT, messages: [...CHAT.messages] } }),
  ],
  [
    'sendChatCompletionRequest',
    ({ asking }) =>
      streamed(
        asking.chat.send({
          xOpenRouterMetadata: 'enabled',
          chatRequest: { ...CHAT, messages: [...CHAT.messages], stream: true },
        }),
      ),
  ],
  ['createResponses', ({ asking }) => asking.responses.send({ responsesRequest: RESPONSE })],
  [
    'createResponses',
    ({ asking }) => streamed(asking.responses.send({ responsesRequest: { ...RESPONSE, stream: true } })),
  ],
  [
    'createEmbeddings',
    ({ asking }) => asking.embeddings.generate({ requestBody: { model: 'gatehouse/echo-embedding', input: 'Hi' } }),
  ],
  ['getGeneration', async (clients) => clients.asking.generations.getGeneration({ id: await idOfGeneration(clients) })],
  [
    'listGenerationContent',
    async (clients) => {
      const { managing, asking, organization } = clients;
      const updateWorkspaceRequest = { isObservabilityIoLoggingEnabled: true, ioLoggingSamplingRate: 1 };
      await managing.workspaces.update({ id: organization.workspaceId, updateWorkspaceRequest });
      return asking.generations.listGenerationContent({ id: await idOfGeneration(clients) });
    },
  ],
];

const PRESETS: SdkCall[] = [
  [
    'createPresetsChatCompletions',
    ({ managing }) =>
      managing.presets.createPresetsChatCompletions({
        slug: 'of-chats',
        chatRequest: { ...CHAT, messages: [...CHAT.messages] },
      }),
  ],
  [
    'createPresetsMessages',
    ({ managing }) =>
      managing.presets.createPresetsMessages({
        slug: 'of-messages',
        messagesRequest: { ...CHAT, messages: [...CHAT.messages], maxTokens: 8 },
      }),
  ],
  [
    'createPresetsResponses',
    ({ managing }) => managing.presets.createPresetsResponses({ slug: 'of-responses', responsesRequest: RESPONSE }),
  ],
  ['listPresets', ({ managing }) => drained(managing.presets.list({}))],
  ['getPreset', ({ managing }) => managing.presets.get({ slug: 'support-bot' })],
  ['listPresetVersions', ({ managing }) => drained(managing.presets.listVersions({ slug: 'support-bot' }))],
  ['getPresetVersion', ({ managing }) => managing.presets.getVersion({ slug: 'support-bot', version: '1' })],
];

const WORKSPACES: SdkCall[] = [
  [
    'createWorkspace',
    ({ managing }) => managing.workspaces.create({ createWorkspaceRequest: { name: 'New', slug: 'new' } }),
  ],
  ['listWorkspaces', ({ managing }) => drained(managing.workspaces.list({}))],
  ['getWorkspace', ({ managing, organization: { workspaceId: id } }) => managing.workspaces.get({ id })],
  [
    'updateWorkspace',
    ({ managing, organization: { workspaceId: id } }) =>
      managing.workspaces.update({ id, updateWorkspaceRequest: { description: 'Changed' } }),
  ],
  [
    'upsertWorkspaceBudget',
    ({ managing, organization: { workspaceId: workspaceRef } }) =>
      managing.workspaces.setBudget({ ...BUDGET, workspaceRef, upsertWorkspaceBudgetRequest: { limitUsd: 10 } }),
  ],
  [
    'getWorkspaceBudget',
    ({ managing, organization: { workspaceId: workspaceRef } }) =>
      managing.workspaces.getBudget({ ...BUDGET, workspaceRef }),
  ],
  [
    'listWorkspaceBudgets',
    ({ managing, organization: { workspaceId: workspaceRef } }) => managing.workspaces.listBudgets({ workspaceRef }),
  ],
  [
    'deleteWorkspaceBudget',
    ({ managing, organization: { workspaceId: workspaceRef } }) =>
      managing.workspaces.deleteBudget({ ...BUDGET, workspaceRef }),
  ],
  [
    'bulkAddWorkspaceMembers',
    ({ managing, organization: { workspaceOfMembers: id, memberId } }) =>
      managing.workspaces.bulkAddMembers({ id, bulkAddWorkspaceMembersRequest: { userIds: [memberId] } }),
  ],
  [
    'listWorkspaceMembers',
    ({ managing, organization: { workspaceOfMembers: id } }) => drained(managing.workspaces.listMembers({ id })),
  ],
  [
    'bulkRemoveWorkspaceMembers',
    ({ managing, organization: { workspaceOfMembers: id, memberId } }) =>
      managing.workspaces.bulkRemoveMembers({ id, bulkRemoveWorkspaceMembersRequest: { userIds: [memberId] } }),
  ],
  [
    'deleteWorkspace',
    async ({ managing }) => {
      const { data } = await managing.workspaces.create({ createWorkspaceRequest: { name: 'Old', slug: 'old' } });
      return managing.workspaces.delete({ id: data.id });
    },
  ],
  ['listOrganizationMembers', ({ managing }) => drained(managing.organization.listMembers({}))],
];

const SCIM: SdkCall[] = [
  ['listScimGroups', ({ managing }) => drained(managing.scim.listGroups({}))],
  ['listScimGroupMappings', ({ managing }) => drained(managing.scim.listMappings({}))],
  ['getScimGroupMapping', ({ managing, organization: { mappingId: id } }) => managing.scim.read({ id })],
  [
    'updateScimGroupMapping',
    ({ managing, organization: { mappingId: id } }) =>
      managing.scim.update({ id, updateScimGroupMappingRequest: { role: 'admin' } }),
  ],
  [
    'createScimGroupMapping',
    ({ managing, organization: { groupId: scimGroupId, workspaceId } }) =>
      managing.scim.create({ createScimGroupMappingRequest: { scimGroupId, workspaceId, role: 'member' } }),
  ],
  [
    'deleteScimGroupMapping',
    ({ managing, organization: { mappingId: id } }) => managing.scim.delete({ id, keepMembers: true }),
  ],
];

const OBSERVABILITY: SdkCall[] = [
  [
    'createObservabilityDestination',
    ({ managing }) =>
      managing.observability.create({
        createObservabilityDestinationRequest: {
          name: 'New',
          type: 'langfuse',
          config: DESTINATION_SAMPLES.langfuse.config,
        },
      }),
  ],
  ['listObservabilityDestinations', ({ managing }) => drained(managing.observability.list({}))],
  [
    'getObservabilityDestination',
    ({ managing, organization: { destinationId: id } }) => managing.observability.get({ id }),
  ],
  [
    'updateObservabilityDestination',
    ({ managing, organization: { destinationId: id } }) =>
      managing.observability.update({ id, updateObservabilityDestinationRequest: { name: 'Renamed' } }),
  ],
  [
    'deleteObservabilityDestination',
    ({ managing, organization: { destinationId: id } }) => managing.observability.delete({ id }),
  ],
];

const USAGE: SdkCall[] = [
  ['getCredits', ({ managing }) => managing.credits.getCredits()],
  ['getUserActivity', ({ managing }) => managing.analytics.getUserActivity({})],
  ['getAnalyticsMeta', ({ managing }) => managing.analytics.getAnalyticsMeta()],
  [
    'queryAnalytics',
    ({ managing }) =>
      managing.analytics.queryAnalytics({ requestBody: { metrics: ['request_count'], dimensions: ['model'] } }),
  ],
];

/** Every operation that the SDK has and the service serves, in an order in which each finds what it is about. */
export const SDK_CALLS: readonly SdkCall[] = [
  ...CATALOG,
  ...INFERENCE,
  ...KEYS,
  ...BYOK,
  ...GUARDRAILS,
  ...PRESETS,
  ...WORKSPACES,
  ...SCIM,
  ...OBSERVABILITY,
  ...USAGE,
];
