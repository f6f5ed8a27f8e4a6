import type { ApiKeyEntity } from '../entities/api-key.entity.js';
import { keyHashOf } from '../key-events.js';
import type { ManagementKey } from './management-key.dto.js';

/** A management key as the interface shows it. */
export function toManagementKeyResponse(key: ApiKeyEntity): ManagementKey {
  return {
    hash: keyHashOf(key),
    label: key.label,
    name: key.name,
    disabled: key.disabled,
    suspension_causes: key.suspensionCauses,
    scopes: key.scopes,
    follows_owner_role: key.followsOwnerRole,
    allowed_addresses: key.allowedAddresses,
    creator_user_id: key.userId,
    expires_at: key.expiresAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt?.toISOString() ?? null,
  };
}
