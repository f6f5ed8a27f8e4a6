import { RIGHTS_OF_ADMINISTRATORS } from '../../../src/auth/roles.js';
import type { ManagementKeyPrincipal, RequestOrigin } from '../../../src/auth/principal.js';

/** The owner of a management key that nothing restricts. @param origin null where no request came */
export function administratorOf(
  organizationId: string,
  userId: string,
  credentialId: string,
  origin: RequestOrigin | null = null,
): ManagementKeyPrincipal {
  return { kind: 'management_key', origin, organizationId, userId, credentialId, ...RIGHTS_OF_ADMINISTRATORS };
}
