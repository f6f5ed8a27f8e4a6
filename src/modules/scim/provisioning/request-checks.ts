import type { OrganizationsService } from '../../organizations/organizations.service.js';
import { ProvisioningNotEnabled, VersionMismatch } from './provisioning.errors.js';

/**
 * The first check of every operation on users and groups.
 *
 * @throws ProvisioningNotEnabled for an organization without SCIM, though its token is live
 */
export async function requireProvisioning(organizations: OrganizationsService, organizationId: string): Promise<void> {
  if (!(await organizations.isScimEnabled(organizationId))) throw new ProvisioningNotEnabled();
}

/**
 * Checks that a resource is in the version that a client has seen (RFC 7644, section 3.14). Weak tags are compared as they are written,
 * because SCIM has no others.
 *
 * @param ifMatch the header; undefined for a client that does not ask
 * @throws VersionMismatch
 */
export function requireVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(version)) throw new VersionMismatch();
}
