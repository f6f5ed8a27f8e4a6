import type { OrganizationsService } from '../../organizations/organizations.service.js';
import { ProvisioningNotEnabled } from './provisioning.errors.js';

/**
 * The first check of every operation on users and groups.
 *
 * @throws ProvisioningNotEnabled for an organization without SCIM, though its token is live
 */
export async function requireProvisioning(organizations: OrganizationsService, organizationId: string): Promise<void> {
  if (!(await organizations.isScimEnabled(organizationId))) throw new ProvisioningNotEnabled();
}
