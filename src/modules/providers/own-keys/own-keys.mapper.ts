import { entityTagOf } from '../../../http/entity-tags.js';
import { WireFields } from '../../../persistence/rows/wire-fields.js';
import type { BYOKKey } from './dto/byok-key.dto.js';
import type { ProviderKeyEntity } from '../entities/provider-key.entity.js';

/** A provider key without its encrypted value, which only requests to the provider need. */
export type ShownKey = Omit<ProviderKeyEntity, 'encryptedKey'>;

/** The fields of a provider key in requests and responses, masked, and in the audit trail. */
export const OWN_KEY_FIELDS = new WireFields<
  ProviderKeyEntity,
  keyof Omit<ShownKey, 'id' | 'organizationId' | 'createdAt'>
>({
  provider: { fixed: true },
  workspaceId: { fixed: true },
  name: { initial: null },
  label: { fixed: true },
  disabled: { initial: false },
  isFallback: { initial: false },
  isRequired: { initial: false },
  isByokOnly: { initial: false },
  declaredZdr: { initial: null },
  declaredRegion: { initial: null },
  allowedModels: { initial: null },
  allowedApiKeyHashes: { initial: null },
  allowedUserIds: { initial: null },
  sortOrder: { fixed: true },
});

/** A provider key as the interface shows it: masked. */
export function toBYOKKeyResponse(key: ShownKey): BYOKKey {
  return { id: key.id, ...OWN_KEY_FIELDS.shown(key), created_at: key.createdAt.toISOString() };
}

/** The entity tag of a provider key (docs/interface/conventions.md#conditional-requests). */
export function tagOfProviderKey(key: ShownKey): string {
  return entityTagOf(key.id, OWN_KEY_FIELDS.shown(key));
}
