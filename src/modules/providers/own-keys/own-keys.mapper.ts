import { entityTagOf } from '../../../http/entity-tags.js';
import type { BYOKKey } from './dto/byok-key.dto.js';
import type { ProviderKeyEntity } from '../entities/provider-key.entity.js';

/** A provider key without its encrypted value, which only requests to the provider need. */
export type ShownKey = Omit<ProviderKeyEntity, 'encryptedKey'>;

/** A provider key as the interface shows it: masked. */
export function toBYOKKeyResponse(key: ShownKey): BYOKKey {
  return {
    id: key.id,
    provider: key.provider,
    workspace_id: key.workspaceId,
    name: key.name,
    label: key.label,
    disabled: key.disabled,
    is_fallback: key.isFallback,
    is_required: key.isRequired,
    is_byok_only: key.isByokOnly,
    declared_zdr: key.declaredZdr,
    allowed_models: key.allowedModels,
    allowed_api_key_hashes: key.allowedApiKeyHashes,
    allowed_user_ids: key.allowedUserIds,
    sort_order: key.sortOrder,
    created_at: key.createdAt.toISOString(),
  };
}

/** What the audit trail keeps of a provider key. */
export function toAuditedFields(key: ShownKey): Readonly<Record<string, unknown>> {
  const { id: _id, created_at: _createdAt, ...fields } = toBYOKKeyResponse(key);
  return fields;
}

/** The entity tag of a provider key (docs/interface/conventions.md#conditional-requests). */
export function tagOfProviderKey(key: ShownKey): string {
  return entityTagOf(key.id, toAuditedFields(key));
}
