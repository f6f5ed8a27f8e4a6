import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../src/modules/keys/keys.service.js';
import { newAlert, newWebhook } from '../support/resources/alerts.js';
import { INSPECTOR_KEY, newInspector } from '../support/resources/inspectors.js';
import { MCP_SECRET, newMcpServer } from '../support/resources/mcp-servers.js';
import { newLimit } from '../support/resources/limits.js';
import { newIssuer, newPolicy } from '../support/resources/federation.js';
import { newPrivateEndpoint, newPrivateProvider } from '../support/resources/private-models.js';
import { operatorKey } from '../support/resources/provider-connections.js';
import { newSignInConnection } from '../support/resources/sign-in.js';
import { DESTINATION_SAMPLES } from '../support/resources/destination-samples.js';
import type { TestApplication } from '../support/application/test-application.js';

/** The credentials of a destination, which no answer and no log line may show. */
export const NEW_DESTINATION_CONFIG = {
  publicKey: 'pk-lf-NEW-PUBLIC-KEY-0123',
  secretKey: 'sk-lf-NEW-SECRET-KEY-0123',
} as const;

/** A key of an organization's own, which no answer and no log line may show. */
export const NEW_PROVIDER_KEY = 'sk-provider-NEW-SECRET-0123';

const PROVIDER_KEY = 'sk-provider-FIRST-SECRET-0123';

/** An organization with one of everything, which the requests of the table of operations are about. */
export interface SampleOrganization extends NewOrganization {
  readonly app: TestApplication;
  /** A management key with the scope of the operator, whose organization this is until another one is. */
  readonly operatorKey: string;
  readonly apiKey: string;
  readonly apiKeyHash: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly guardrailId: string;
  readonly destinationId: string;
  readonly alertId: string;
  readonly limitId: string;
  readonly inspectorId: string;
  readonly mcpServerId: string;
  /** A destination that alerts may be sent to. */
  readonly webhookId: string;
  /** An issuer, with a policy that acts as the API key. */
  readonly issuerId: string;
  readonly policyId: string;
  readonly signInConnectionId: string;
  readonly providerKeyId: string;
  /** A provider of its own, with a draft. */
  readonly privateProviderSlug: string;
  readonly privateEndpointId: string;
  /** A group without a mapping. */
  readonly groupId: string;
  /** Of a group to the workspace besides the default one. */
  readonly mappingId: string;
  /** A workspace besides the default one, and a member of the organization who is not in it. */
  readonly workspaceOfMembers: string;
  readonly memberId: string;
  /** What must not be in any log line, nor in an answer but the one that discloses it. */
  readonly secrets: string[];
}

/** Makes an organization with one of everything, and SCIM and the starter catalog with it, and a model for each operation. */
export async function sampleOrganization(app: TestApplication): Promise<SampleOrganization> {
  const { factory } = app;
  const organization = await factory.organization();
  const { organizationId, workspaceId, managementKey } = organization;
  await factory.enableScim(organization);
  await factory.starterCatalog();
  await factory.moderationModel();
  const [apiKey, client] = [await factory.key(organization), await factory.client(organization)];
  await factory.budget(organizationId, workspaceId, 'lifetime', 1000);
  await factory.preset(organization, workspaceId, 'support-bot', [{ model: 'openai/gpt-5.4' }]);
  const operator = await operatorKey(app, organization);
  const { config } = DESTINATION_SAMPLES.langfuse;
  const workspaceOfMembers = await factory.workspace(organization);
  const issuerId = await newIssuer(app, organization);
  const { slug: privateProviderSlug } = await newPrivateProvider(app, organization);
  return {
    ...organization,
    app,
    operatorKey: operator,
    apiKey: apiKey.plaintext,
    apiKeyHash: apiKey.hash,
    clientId: client.id,
    clientSecret: client.plaintext,
    guardrailId: (await factory.guardrail(organization)).id,
    destinationId: await factory.destination(organization, 'langfuse', config),
    alertId: await newAlert(app, organization),
    limitId: await newLimit(app, organization),
    inspectorId: await newInspector(app, organization),
    mcpServerId: await newMcpServer(app, organization),
    webhookId: await newWebhook(app, organization),
    issuerId,
    policyId: await newPolicy(app, organization, { issuer_id: issuerId, key_hash: apiKey.hash }),
    signInConnectionId: await newSignInConnection(app, organization),
    providerKeyId: await factory.providerKey(organization, 'openai', PROVIDER_KEY),
    privateProviderSlug,
    privateEndpointId: (await newPrivateEndpoint(app, organization, privateProviderSlug)).id,
    groupId: await factory.scimGroup(organization),
    mappingId: await factory.scimMapping(organization, await factory.scimGroup(organization), workspaceOfMembers),
    workspaceOfMembers,
    memberId: await factory.member(organizationId),
    secrets: [
      managementKey,
      operator,
      apiKey.plaintext,
      client.plaintext,
      String(config['publicKey']),
      String(config['secretKey']),
      ...Object.values(NEW_DESTINATION_CONFIG),
      PROVIDER_KEY,
      NEW_PROVIDER_KEY,
      INSPECTOR_KEY,
      MCP_SECRET,
    ],
  };
}

/** Remembers the secret of a key or client that a request is about. */
export function keptSecret({ secrets }: SampleOrganization, issued: IssuedCredential): IssuedCredential {
  secrets.push(issued.plaintext);
  return issued;
}
