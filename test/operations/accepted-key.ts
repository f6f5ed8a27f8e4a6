import { isOfOperator } from '../../src/auth/permissions.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../support/application/test-application.js';
import { operatorKey } from '../support/resources/provider-connections.js';
import { OPERATIONS } from './operations.js';

/** Keys of one organization and one user, so that every operation takes one of them. */
export interface AcceptedKeys {
  readonly managementKey: string;
  /** For the operations of the operator's organization. */
  readonly operatorKey: string;
  readonly apiKey: string;
}

/** Makes an API key, and a key of the operator, beside the management key of an organization. */
export async function acceptedKeys(app: TestApplication, organization: NewOrganization): Promise<AcceptedKeys> {
  const { plaintext } = await app.factory.key(organization);
  const ofOperator = await operatorKey(app, organization);
  return { managementKey: organization.managementKey, operatorKey: ofOperator, apiKey: plaintext };
}

/** A management key where an operation takes it, else the API key. */
export function acceptedKey(
  operationId: string,
  { managementKey, operatorKey: ofOperator, apiKey }: AcceptedKeys,
): string {
  const { callers, permission } = OPERATIONS[operationId]!;
  if (permission !== undefined && isOfOperator(permission)) return ofOperator;
  return callers.includes('management_key') ? managementKey : apiKey;
}
