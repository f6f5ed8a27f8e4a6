import { sharedApplication } from '../support/application/shared-application.js';
import { openApiDocument } from '../../src/http/openapi/openapi-document.js';
import { acceptedKeys } from '../operations/accepted-key.js';
import { interfaceOf } from '../support/openapi/described-operations.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedOrganization } from '../support/application/shared-organization.js';

/** An application with its OpenAPI document. */
export function documentedApplication() {
  const app = sharedApplication({ topic: 'documented-application' });
  const organization = sharedOrganization(app);
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));

  const document = filledBefore(beforeAll, () => openApiDocument(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  return { app, organization, api, keys, document };
}
