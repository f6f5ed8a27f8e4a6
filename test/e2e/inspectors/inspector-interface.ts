import type { Inspector } from '../../../src/modules/inspectors/dto/inspector.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { TestApplication } from '../../support/application/test-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';

/** What tests of the operations on inspectors share. */
export interface InspectorInterface {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  readonly send: <Body = { data: Inspector }>(
    method: string,
    path: string,
    json?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer<Body>>;
}

/** An application that allows private addresses, with an organization for each test. */
export function inspectorInterface(variables: Readonly<Record<string, string>> = {}): InspectorInterface {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true', ...variables } });
  const organization = organizationPerTest(app);
  return {
    app,
    organization,
    send: (method, path, json, headers) =>
      app.api.send(method, path, {
        key: organization.managementKey,
        ...(json && { json }),
        ...(headers && { headers }),
      }),
  };
}

/** A server that plays inspectors of a describe block, and lets everything pass until a test says otherwise. */
export function sharedGuard(): { readonly server: ProviderServer } {
  const guard = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  beforeEach(() => guard.server.answerJson({ action: 'NONE' }));
  afterAll(() => guard.server.stop());
  return guard;
}
