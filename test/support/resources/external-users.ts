import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../application/test-application.js';

/** Registers a user of an organization. @returns the name */
export async function newExternalUser(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  user: string,
): Promise<string> {
  const { status } = await app.api.post('/external-users', { key, json: { user } });
  expect(status).toBe(201);
  return user;
}
