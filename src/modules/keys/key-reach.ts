import { AdministratorRequired } from '../../http/errors/request.errors.js';
import { hasAllRights, isOfOperator, PERMISSIONS } from '../../auth/permissions.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { requirePermissions } from '../../auth/required-rights.js';
import { areWithin } from './allowed-ranges.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { KeyNotFound, ManagementKeyEnabledByOwnerOnly, ManagementKeyNarrowsItselfOnly } from './keys.errors.js';

/** Of a key what decides who reaches it. */
type ReachedKey = Pick<ApiKeyEntity, 'id' | 'kind' | 'userId' | 'scopes'>;

/** What a key is reached for. */
export type Reach = 'read' | 'change' | 'delete';

/**
 * Checks that a caller reaches a key: an API key of anyone, or their own where they reach only that; a management key with a permission of
 * its own, and to change it with all permissions that it has, so that no key gives more than its holder has. Who may do everything in the
 * organization can delete a key that has permissions of the operator besides. A key always reaches itself.
 *
 * @throws KeyNotFound for what is other people's, where the caller reaches only what is their own
 * @throws PermissionMissing
 */
export function requireReach(caller: ManagementPrincipal, key: ReachedKey, reach: Reach): void {
  if (key.id === caller.credentialId) return;
  if (caller.onlyOwn && (key.kind === 'management_key' || key.userId !== caller.userId)) throw new KeyNotFound();
  if (key.kind === 'api_key') return;
  if (reach === 'read') {
    requirePermissions(caller, ['management_keys_read']);
    return;
  }
  const scopes = key.scopes ?? PERMISSIONS;
  const isEndedByAdministrator = reach === 'delete' && hasAllRights(caller);
  const needed = isEndedByAdministrator ? scopes.filter((scope) => !isOfOperator(scope)) : scopes;
  requirePermissions(caller, ['management_keys_write', ...needed]);
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
    labels: Object.entries(before.labels ?? {}).some(([name, value]) => wanted.labels?.[name] !== value),
    bound_user: before.boundUser !== null && wanted.boundUser !== before.boundUser,
  };
  const fields = Object.entries(lifted).flatMap(([field, isLifted]) => (isLifted ? [field] : []));
  if (fields.length > 0) throw new AdministratorRequired(fields);
}

/** @param before null for no limit */
function isRaised(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}

/**
 * A management key does not free itself from the addresses that it is bound to: the holder of a stolen one would.
 *
 * @throws ManagementKeyNarrowsItselfOnly
 */
export function requireNotLiftedByItself(
  caller: ManagementPrincipal,
  before: ApiKeyEntity,
  wanted: ApiKeyEntity,
): void {
  const isItself = before.kind === 'management_key' && before.id === caller.credentialId;
  if (isItself && !areWithin(wanted.allowedAddresses, before.allowedAddresses)) {
    throw new ManagementKeyNarrowsItselfOnly();
  }
}

/**
 * A person who has the leaked secret of a disabled management key must not be able to enable it again.
 *
 * @throws ManagementKeyEnabledByOwnerOnly
 */
export function requireMayEnable(caller: ManagementPrincipal, key: ApiKeyEntity): void {
  if (!key.disabled || key.kind !== 'management_key' || key.userId === caller.userId) return;
  throw new ManagementKeyEnabledByOwnerOnly();
}
