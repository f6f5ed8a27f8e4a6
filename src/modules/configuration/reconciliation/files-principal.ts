import type { AppliedFiles, ManagementKeyPrincipal } from '../../../auth/principal.js';
import { RIGHTS_OF_ADMINISTRATORS } from '../../../auth/roles.js';

/**
 * Who applies files without a credential: an administrator, with all permissions; the audit trail has `appliedBy` as the actor.
 *
 * @param userId of the administrator, who is the creator of what is made
 */
export function principalOfFiles(
  organizationId: string,
  userId: string,
  appliedBy: NonNullable<AppliedFiles['appliedBy']>,
): ManagementKeyPrincipal {
  return {
    kind: 'management_key',
    origin: null,
    organizationId,
    userId,
    // No credential was used.
    credentialId: userId,
    ...RIGHTS_OF_ADMINISTRATORS,
    files: { appliedBy, owner: '', plan: null, revision: null, file: null },
  };
}
