import type { OrganizationsService } from '../organizations/organizations.service.js';
import { ScimNotEnabled } from './scim.errors.js';

/**
 * The first check of every SCIM operation.
 *
 * @throws ScimNotEnabled for an organization without an identity provider
 */
export async function requireScim(organizations: OrganizationsService, organizationId: string): Promise<void> {
  if (!(await organizations.isScimEnabled(organizationId))) throw new ScimNotEnabled();
}
