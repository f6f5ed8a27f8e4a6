import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../support/application/test-application.js';
import { OPERATIONS } from './operations.js';

/** Keys of one organization and one user, so that every operation takes one of them. */
export interface AcceptedKeys {
  readonly managementKey: string;
  readonly apiKey: string;
}

/** Makes an API key beside the management key of an organization. */
export async function acceptedKeys(app: TestApplication, organization: NewOrganization): Promise<AcceptedKeys> {
  const { plaintext } = await app.factory.key(organization);
  return { managementKey: organization.managementKey, apiKey: plaintext };
}

/** The management key where an operation takes it, else the API key. */
export function acceptedKey(operationId: string, { managementKey, apiKey }: AcceptedKeys): string {
  return OPERATIONS[operationId]!.callers.includes('management_key') ? managementKey : apiKey;
}
