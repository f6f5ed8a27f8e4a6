import type { INestApplication } from '@nestjs/common';
import { ADMINISTRATOR } from '../auth/roles.js';
import type { Environment } from '../config/environment.js';
import { COMMAND_LINE } from '../modules/audit/audit-trail.js';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';
import { SignInLinksService } from '../modules/sign-in/links/sign-in-links.service.js';

/**
 * Makes the link that signs the first administrator in, where the first management key is shown, too: what goes to standard output elsewhere
 * may be kept by others (docs/operations.md#first-management-key).
 *
 * @returns its path; null where none is made
 */
export async function firstSignInLink(
  application: INestApplication,
  { firstManagementKey }: Environment,
): Promise<string | null> {
  if (firstManagementKey !== 'print') return null;
  const organizations = application.get(OrganizationsService);
  const organization = await organizations.first();
  const administrator =
    organization && (await organizations.membersOf(organization.id)).find(({ role }) => role === ADMINISTRATOR);
  if (administrator === undefined) return null;
  const { organizationId, userId } = administrator;
  return application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId);
}
