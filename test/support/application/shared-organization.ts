import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from './filled-before.js';
import type { TestApplication } from './test-application.js';

/** The organization of all tests of a describe block. */
export function sharedOrganization(app: Pick<TestApplication, 'factory'>): NewOrganization {
  return filledBefore(beforeAll, () => app.factory.organization());
}

/** A new organization for each test of a describe block. */
export function organizationPerTest(app: Pick<TestApplication, 'factory'>): NewOrganization {
  return filledBefore(beforeEach, () => app.factory.organization());
}

/** A new API key for each test of a describe block. */
export function keyPerTest(app: Pick<TestApplication, 'factory'>, organization: NewOrganization): IssuedCredential {
  return filledBefore(beforeEach, () => app.factory.key(organization));
}

/** A new workspace of the organization for each test of a describe block. */
export function workspacePerTest(
  app: Pick<TestApplication, 'factory'>,
  organization: NewOrganization,
): { readonly id: string } {
  return filledBefore(beforeEach, async () => ({ id: await app.factory.workspace(organization) }));
}

/** A new member of the organization for each test of a describe block. */
export function memberPerTest(
  app: Pick<TestApplication, 'factory'>,
  organization: NewOrganization,
): { readonly id: string } {
  return filledBefore(beforeEach, async () => ({ id: await app.factory.member(organization.organizationId) }));
}
