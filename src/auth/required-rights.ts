import { PermissionMissing, RecentSignInRequired } from '../http/errors/request.errors.js';
import { type Permission, PERMISSIONS } from './permissions.js';
import type { ManagementPrincipal } from './principal.js';

/**
 * Checks that a caller has some permissions.
 *
 * @throws PermissionMissing that names those which are missing
 */
export function requirePermissions({ permissions }: ManagementPrincipal, needed: readonly Permission[]): void {
  const missing = new Set(needed.filter((permission) => !permissions.has(permission)));
  if (missing.size > 0) throw new PermissionMissing([...missing]);
}

/** How long ago a person may have signed in who changes what lasts longer than the session, in seconds. */
const MAXIMUM_SIGN_IN_AGE_SECONDS = 900;

/**
 * Whether a person has signed in a short time ago: a browser that was left open makes no keys and no ways to sign in that stay. A key is a
 * proof by itself.
 */
export function hasSignedInRecently(caller: ManagementPrincipal): boolean {
  if (caller.kind !== 'session') return true;
  if (caller.authenticatedAt === null) return false;
  const ageSeconds = (Date.now() - caller.authenticatedAt.getTime()) / 1000;
  return Math.abs(ageSeconds) <= MAXIMUM_SIGN_IN_AGE_SECONDS;
}

/** Checks that a person has signed in a short time ago ({@link hasSignedInRecently}). @throws RecentSignInRequired */
export function requireRecentSignIn(caller: ManagementPrincipal): void {
  if (!hasSignedInRecently(caller)) throw new RecentSignInRequired(MAXIMUM_SIGN_IN_AGE_SECONDS);
}

/**
 * Checks that a caller may decide who a person is (docs/interface/permissions.md#who-a-person-is): with less than all permissions they could
 * become a person who has more, and so could the finder of a browser that was left open.
 *
 * @throws PermissionMissing that names those which are missing
 * @throws RecentSignInRequired
 */
export function requireToDecideIdentity(caller: ManagementPrincipal): void {
  requirePermissions(caller, PERMISSIONS);
  requireRecentSignIn(caller);
}
