import type { AppliedConfigurationResponse } from '../../../src/modules/configuration/dto/configuration.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { TestApplication } from '../../support/application/test-application.js';
import type { Answer } from '../../support/network/api-client.js';

type Applied = AppliedConfigurationResponse;

/** A refusal, as far as the tests look at it. */
export interface Refused {
  readonly error: {
    readonly message: string;
    readonly metadata: {
      readonly reason: string;
      readonly issues: readonly { path: string; message: string }[];
      readonly conflicts: readonly { reason: string; name: string; detail: string }[];
      readonly required: readonly string[];
    };
  };
}

/** What tests of configuration by files share. */
export interface ConfigurationInterface {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  /** Plans lists of files of the owner `platform`. */
  readonly plan: (lists: object, options?: object, key?: string) => Promise<Answer<{ data: Applied } & Refused>>;
  readonly apply: (lists: object, options?: object, key?: string) => Promise<Answer<{ data: Applied } & Refused>>;
  readonly send: <Body>(method: string, path: string, json?: object) => Promise<Answer<Body>>;
}

/** An application with an organization for each test. */
export function configurationInterface(variables: Readonly<Record<string, string>> = {}): ConfigurationInterface {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true', ...variables } });
  const organization = organizationPerTest(app);
  const post =
    (operation: string) =>
    (lists: object, options: object = {}, key = organization.managementKey) =>
      app.api.send<{ data: Applied } & Refused>('POST', `/configuration/${operation}`, {
        key,
        json: { files: [fileOf(lists)], ...options },
      });
  return {
    app,
    organization,
    plan: post('plan'),
    apply: post('apply'),
    send: (method, path, json) =>
      app.api.send(method, path, { key: organization.managementKey, ...(json && { json }) }),
  };
}

/** A file with one document. @param lists may name another owner */
export function fileOf(lists: object, name = 'gatehouse.yaml'): object {
  return { name, documents: [{ apiVersion: 'gatehouse/v1', owner: 'platform', ...lists }] };
}
