import { newUuid } from '../../persistence/identifiers.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { issueSecret } from './credentials/key-format.js';
import { KEY_VERSION } from './credentials/key-version.js';

/** What every key to create has to say. */
type KeyIdentity = Pick<ApiKeyEntity, 'kind' | 'organizationId' | 'userId' | 'name'>;

/** The row of a new key, without the creation time, which the database sets. */
export type NewKeyRow = Omit<ApiKeyEntity, 'createdAt'>;

/** The other columns of a key that nothing restricts. */
const UNRESTRICTED: Omit<NewKeyRow, keyof KeyIdentity | 'id' | 'hash' | 'label'> = {
  previousHash: null,
  previousHashExpiresAt: null,
  workspaceId: null,
  connectClientId: null,
  disabled: false,
  version: KEY_VERSION,
  suspensionCauses: [],
  scopes: null,
  followsOwnerRole: true,
  allowedAddresses: null,
  limitUsd: null,
  limitReset: null,
  includeByokInLimit: false,
  requestsPerMinute: null,
  tokensPerMinute: null,
  expiresAt: null,
  externalUser: null,
  externalApiKeyHash: null,
  updatedAt: null,
};

/** A key to create. What is absent does not restrict it. */
export type NewKey = KeyIdentity & Partial<typeof UNRESTRICTED>;

/** The row of a new key, and the key itself, which is known only now. */
export function newKeyRow(key: NewKey): { readonly row: NewKeyRow; readonly plaintext: string } {
  const { plaintext, hash, label } = issueSecret(key.kind, key.organizationId);
  return { row: { ...UNRESTRICTED, ...key, id: newUuid(), hash, label }, plaintext };
}
