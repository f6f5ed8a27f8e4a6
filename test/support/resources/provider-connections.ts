import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { TestApplication } from '../application/test-application.js';

/** Makes an organization the operator's, as OPERATOR_ORGANIZATION_ID does at the start for one that was made before. */
export function makeOperator(app: TestApplication, { organizationId }: Pick<NewOrganization, 'organizationId'>): void {
  Object.assign(app.environment, { operatorOrganizationId: organizationId });
}

/** Makes an organization the operator's. @returns a management key with the scope of the operator alone */
export async function operatorKey(app: TestApplication, organization: NewOrganization): Promise<string> {
  makeOperator(app, organization);
  return (await app.factory.key(organization, { kind: 'management_key', scopes: ['providers_write'] })).plaintext;
}

/** Connects a provider as the command line does, to the application itself, which answers an API key of the organization. */
export async function connectedToItself(
  app: TestApplication,
  organization: NewOrganization,
  provider: string,
): Promise<{ readonly base_url: string; readonly api_key: string }> {
  const base_url = `${app.origin}${app.environment.apiBasePath}`;
  const key = await app.factory.key(organization);
  const request = { provider, baseUrl: base_url, apiKey: key.plaintext, timeouts: {}, models: {} };
  await app.application.get(ConnectionsService).connect(request);
  return { base_url, api_key: key.plaintext };
}
