import { PermissionMissing } from '../../http/errors/request.errors.js';
import { type Permission, PERMISSIONS } from '../../auth/permissions.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { areWithin } from './allowed-addresses.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { AdministratorRequired, KeyNotFound } from './keys.errors.js';

/** Of a key what decides who reaches it. */
type ReachedKey = Pick<ApiKeyEntity, 'id' | 'kind' | 'userId' | 'scopes'>;

/**
 * Checks that a caller reaches a key: an API key of anyone, or their own where they reach only that; a management key with a permission of
 * its own, and to change it with all permissions that it has, so that no key gives more than its holder has. A key always reaches itself.
 *
 * @param needed the permission for management keys
 * @throws KeyNotFound for what is other people's, where the caller reaches only what is their own
 * @throws PermissionMissing
 */
export function requireReach(
  caller: ManagementPrincipal,
  key: ReachedKey,
  needed: 'management_keys_read' | 'management_keys_write',
): void {
  if (key.id === caller.credentialId) return;
  if (caller.onlyOwn && (key.kind === 'management_key' || key.userId !== caller.userId)) throw new KeyNotFound();
  if (key.kind === 'api_key') return;
  const scopes = needed === 'management_keys_read' ? [] : (key.scopes ?? PERMISSIONS);
  requirePermissions(caller, [needed, ...scopes]);
}

/**
 * Checks that a caller has some permissions.
 *
 * @throws PermissionMissing that names those which are missing
 */
export function requirePermissions({ permissions }: ManagementPrincipal, needed: readonly Permission[]): void {
  const missing = new Set(needed.filter((permission) => !permissions.has(permission)));
  if (missing.size > 0) throw new PermissionMissing([...missing]);
}

/**
 * Checks that a member makes their key more restricted only: what an administrator has set, they cannot lift
 * (docs/interface/permissions.md#roles).
 *
 * @throws AdministratorRequired that names the fields
 */
export function requireNotLifted(caller: ManagementPrincipal, before: ApiKeyEntity, wanted: ApiKeyEntity): void {
  if (!caller.onlyOwn) return;
  const hasLimit = before.limitUsd !== null;
  const lifted = {
    limit: isRaised(before.limitUsd, wanted.limitUsd),
    limit_reset: hasLimit && wanted.limitReset !== before.limitReset,
    include_byok_in_limit: hasLimit && before.includeByokInLimit && !wanted.includeByokInLimit,
    rate_limits:
      isRaised(before.requestsPerMinute, wanted.requestsPerMinute) ||
      isRaised(before.tokensPerMinute, wanted.tokensPerMinute),
    disabled: before.disabled && !wanted.disabled,
    allowed_addresses: !areWithin(wanted.allowedAddresses, before.allowedAddresses),
  };
  const fields = Object.entries(lifted).flatMap(([field, isLifted]) => (isLifted ? [field] : []));
  if (fields.length > 0) throw new AdministratorRequired(fields);
}

/** @param before null for no limit */
function isRaised(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}
