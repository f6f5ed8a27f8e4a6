import { newUuid } from '../../persistence/identifiers.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { issueCredential } from './credentials/key-format.js';

/** A key to create; absent fields are null. */
export type NewKey = Pick<ApiKeyEntity, 'kind' | 'organizationId' | 'userId' | 'name'> &
  Partial<
    Pick<
      ApiKeyEntity,
      | 'workspaceId'
      | 'connectClientId'
      | 'limitUsd'
      | 'limitReset'
      | 'includeByokInLimit'
      | 'requestsPerMinute'
      | 'tokensPerMinute'
      | 'expiresAt'
      | 'externalUser'
      | 'externalApiKeyHash'
    >
  >;

/** The row of a new key, without the creation time, which the database sets. */
export type NewKeyRow = Omit<ApiKeyEntity, 'createdAt'>;

/** The row of a new key, and the key itself, which is known only now. */
export function newKeyRow(key: NewKey): { readonly row: NewKeyRow; readonly plaintext: string } {
  const { plaintext, hash, label } = issueCredential(key.kind, key.organizationId);
  const row = {
    id: newUuid(),
    organizationId: key.organizationId,
    userId: key.userId,
    kind: key.kind,
    hash,
    previousHash: null,
    previousHashExpiresAt: null,
    name: key.name,
    label,
    workspaceId: key.workspaceId ?? null,
    connectClientId: key.connectClientId ?? null,
    disabled: false,
    limitUsd: key.limitUsd ?? null,
    limitReset: key.limitReset ?? null,
    includeByokInLimit: key.includeByokInLimit ?? false,
    requestsPerMinute: key.requestsPerMinute ?? null,
    tokensPerMinute: key.tokensPerMinute ?? null,
    expiresAt: key.expiresAt ?? null,
    externalUser: key.externalUser ?? null,
    externalApiKeyHash: key.externalApiKeyHash ?? null,
    updatedAt: null,
  };
  return { row, plaintext };
}
