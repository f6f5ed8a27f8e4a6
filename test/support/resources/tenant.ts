import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { DestinationType } from '../../../src/modules/observability/destination-settings.js';
import { newChallengedCode, newCode } from './authorization-codes.js';
import { DESTINATION_SAMPLES } from './destination-samples.js';
import { newAlert } from './alerts.js';
import { newInspector } from './inspectors.js';
import { answerToMember, connectedServer } from './mcp-connections.js';
import { newMcpServer } from './mcp-servers.js';
import { newLimit } from './limits.js';
import { newExternalUser } from './external-users.js';
import { newIssuer, newPolicy } from './federation.js';
import { newPrivateEndpoint, newPrivateProvider } from './private-models.js';
import { newMemberIdentity, newSignInConnection } from './sign-in.js';
import type { TestApplication } from '../application/test-application.js';

/** An organization with one of everything that belongs to one. */
export interface Tenant extends NewOrganization {
  readonly memberId: string;
  /** A workspace besides the default one, with members, a budget, a guardrail, a preset and a destination. */
  readonly otherWorkspaceId: string;
  readonly otherWorkspaceSlug: string;
  /** In the default workspace. */
  readonly guardrailId: string;
  /** The default guardrail of the other workspace, which is not stored. */
  readonly defaultGuardrailId: string;
  readonly presetSlug: string;
  readonly otherPresetSlug: string;
  readonly destinationId: string;
  readonly alertId: string;
  readonly limitId: string;
  readonly inspectorId: string;
  readonly mcpServerId: string;
  /** The name of a server that its administrator has connected to, and what would complete a connection to another one. */
  readonly connectedServer: string;
  readonly answerToMember: string;
  /** The name of a user of theirs. */
  readonly externalUser: string;
  readonly issuerId: string;
  readonly policyId: string;
  readonly signInConnectionId: string;
  /** Of the administrator. */
  readonly memberIdentityId: string;
  readonly providerKeyId: string;
  /** A provider of its own, with a draft. */
  readonly privateProviderSlug: string;
  readonly privateEndpointId: string;
  readonly generationId: string;
  readonly apiKey: string;
  readonly apiKeyHash: string;
  readonly managementKeyHash: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientCallbackUrl: string;
  readonly clientKeyHash: string;
  readonly scimGroupId: string;
  /** A group that is mapped to the other workspace. */
  readonly mappedScimGroupId: string;
  readonly mappingId: string;
  readonly provisioningTokenId: string;
  readonly syncJobId: string;
  readonly code: string;
  readonly challengedCode: Awaited<ReturnType<typeof newChallengedCode>>;
  /** A code without a challenge, with the key that it was exchanged for still in force. */
  readonly usedCode: string;
}

/** Makes an organization with one of everything. @param name stands in every slug */
export async function newTenant(app: TestApplication, name: string): Promise<Tenant> {
  const { factory } = app;
  const organization = await factory.organization();
  const { organizationId, workspaceId, managementKey } = organization;
  const memberId = await factory.member(organizationId);
  const otherWorkspaceSlug = `${name}-workspace`;
  const otherWorkspaceId = await factory.workspace(organization, otherWorkspaceSlug);
  await factory.workspaceMember(organizationId, otherWorkspaceId, memberId, 'admin');
  await factory.budget(organizationId, otherWorkspaceId, 'monthly', 100);
  await factory.budget(organizationId, workspaceId, 'monthly', 100);
  await factory.preset(organization, workspaceId, `${name}-preset`, [{ of: name }]);
  await factory.preset(organization, otherWorkspaceId, `${name}-other-preset`, [{ of: name }, { of: name }]);
  const type: DestinationType = 's3';
  const destinationId = await factory.destination(organization, type, DESTINATION_SAMPLES[type].config);
  await factory.enableScim(organization);
  const [scimGroupId, mappedScimGroupId] = [
    await factory.scimGroup(organization),
    await factory.scimGroup(organization),
  ];
  await factory.scimMembers(organization, mappedScimGroupId, [organization.userId]);
  const mappingId = await factory.scimMapping(organization, mappedScimGroupId, otherWorkspaceId);
  const { id: guardrailId } = await factory.guardrail(organization, { name });
  await factory.guardrail(organization, { name, workspace_id: otherWorkspaceId });
  const management = await factory.key(organization, { kind: 'management_key' });
  const apiKey = await factory.key(organization);
  await created(app, managementKey, `/guardrails/${guardrailId}/assignments/keys`, { key_hashes: [apiKey.hash] });
  await created(app, managementKey, `/guardrails/${guardrailId}/assignments/members`, { member_user_ids: [memberId] });
  const clientCallbackUrl = `https://${name}.example.com/client`;
  const client = await factory.client(organization, [clientCallbackUrl]);
  const clientKey = await factory.key(organization, { connectClientId: client.id });
  const usedCode = await newCode(app, managementKey);
  await created(app, managementKey, '/auth/keys', { code: usedCode });
  const issuerId = await newIssuer(app, organization);
  await factory.starterCatalog();
  const { slug: privateProviderSlug } = await newPrivateProvider(app, organization, { name: `Servers of ${name}` });
  return {
    ...organization,
    memberId,
    otherWorkspaceId,
    otherWorkspaceSlug,
    guardrailId,
    defaultGuardrailId: defaultGuardrailIdOf(otherWorkspaceId),
    presetSlug: `${name}-preset`,
    otherPresetSlug: `${name}-other-preset`,
    destinationId,
    alertId: await newAlert(app, organization),
    limitId: await newLimit(app, organization),
    inspectorId: await newInspector(app, organization),
    mcpServerId: await newMcpServer(app, organization),
    connectedServer: await connectedServer({ app, ...organization }),
    answerToMember: await answerToMember({ app, ...organization }),
    externalUser: await newExternalUser(app, organization, `customer of ${name}`),
    issuerId,
    policyId: await newPolicy(app, organization, { issuer_id: issuerId, key_hash: apiKey.hash }),
    signInConnectionId: await newSignInConnection(app, organization),
    memberIdentityId: await newMemberIdentity(app, organization),
    providerKeyId: await factory.providerKey(organization, 'openai', `sk-of-${name}`),
    privateProviderSlug,
    privateEndpointId: (await newPrivateEndpoint(app, organization, privateProviderSlug)).id,
    generationId: await refusedGeneration(app, apiKey.plaintext),
    apiKey: apiKey.plaintext,
    apiKeyHash: apiKey.hash,
    managementKeyHash: management.hash,
    clientId: client.id,
    clientSecret: client.plaintext,
    clientCallbackUrl,
    clientKeyHash: clientKey.hash,
    scimGroupId,
    mappedScimGroupId,
    mappingId,
    provisioningTokenId: (await factory.provisioningToken(organizationId)).token.id,
    syncJobId: await finishedSyncJob(app, organizationId),
    code: await newCode(app, managementKey),
    challengedCode: await newChallengedCode(app, managementKey),
    usedCode,
  };
}

/** A sync job that has ended. @returns its id */
export async function finishedSyncJob(app: TestApplication, organizationId: string): Promise<string> {
  const [job] = await app.rows<{ id: string }>(
    `INSERT INTO scim_sync_jobs (organization_id, id, status, synced_groups, deleted_groups, started_at, finished_at, created_at)
     VALUES ($1, gen_random_uuid(), 'succeeded', 0, 0, now(), now(), now()) RETURNING id`,
    [organizationId],
  );
  return job!.id;
}

/** The record of a request that was refused. @returns its id */
async function refusedGeneration(app: TestApplication, key: string): Promise<string> {
  const messages = [{ role: 'user', content: 'Hello' }];
  const { headers } = await app.api.post('/chat/completions', { key, json: { model: 'unknown/model', messages } });
  return headers.get('x-generation-id')!;
}

/** Every row of the database but those that belong to an organization. */
export async function rowsOfOthers(app: TestApplication, organizationId: string): Promise<Record<string, unknown[]>> {
  const tables = await app.rows<{ name: string; has_owner: boolean }>(
    `SELECT quote_ident(t.table_name) AS name, bool_or(c.column_name = 'organization_id') AS has_owner
     FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
     WHERE t.table_schema = 'public' GROUP BY t.table_name ORDER BY t.table_name`,
  );
  const snapshot: Record<string, unknown[]> = {};
  for (const { name, has_owner: hasOwner } of tables) {
    const [where, values] = hasOwner ? ['WHERE organization_id <> $1', [organizationId]] : ['', []];
    snapshot[name] = await app.rows(
      `SELECT to_jsonb(t) AS row FROM ${name} t ${where} ORDER BY to_jsonb(t)::text`,
      values,
    );
  }
  return snapshot;
}

async function created(app: TestApplication, key: string, path: string, json: object): Promise<void> {
  const { status } = await app.api.post(path, { key, json });
  expect([200, 201]).toContain(status);
}
