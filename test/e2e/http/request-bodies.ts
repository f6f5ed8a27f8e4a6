import { sharedApplication } from '../../support/application/shared-application.js';
import { acceptedKeys } from '../../operations/accepted-key.js';
import { interfaceOf, type Operation } from '../../support/openapi/described-operations.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

export const MEBIBYTE = 1024 * 1024;

/** The operations with a body, and how the tests send bodies to them. */
export function requestBodies() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));

  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  const operationsWithBody = (): Operation[] => api.operations.filter(({ body }) => body !== undefined);

  return { app, organization, keys, api, operationsWithBody };
}
