import { rowInsert } from '../../persistence/insert-statement.js';
import { CREATED_NOW } from '../../persistence/row-times.js';
import { newUuid } from '../../persistence/identifiers.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { issueSecret, storedSecret } from './credentials/key-format.js';
import { keyVersionOf } from './credentials/key-version.js';

/** Inserts the row of a key. The database says when: the clocks of replicas may differ, and lists are in this order. */
export const KEY_INSERT = rowInsert(ApiKeyEntity, CREATED_NOW);

type KeyIdentity = Pick<ApiKeyEntity, 'kind' | 'organizationId' | 'userId' | 'name'>;

/** The row of a new key, without the creation time, which the database sets. */
export type NewKeyRow = Omit<ApiKeyEntity, 'createdAt'>;

/** The other columns of a key that nothing restricts. */
const UNRESTRICTED: Omit<NewKeyRow, keyof KeyIdentity | 'id' | 'hash' | 'label' | 'version'> = {
  previousHash: null,
  previousHashExpiresAt: null,
  workspaceId: null,
  connectClientId: null,
  disabled: false,
  suspensionCauses: [],
  scopes: null,
  followsOwnerRole: true,
  allowedAddresses: null,
  labels: null,
  boundUser: null,
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

/** The row of a new key, and the key itself, which is known only now. @param secret that it is to have; by default a new one */
export function newKeyRow(key: NewKey, secret?: string): { readonly row: NewKeyRow; readonly plaintext: string } {
  const { plaintext, hash, label } =
    secret === undefined ? issueSecret(key.kind, key.organizationId) : storedSecret(secret);
  const restricted = { ...UNRESTRICTED, ...key };
  return { row: { ...restricted, version: keyVersionOf(restricted), id: newUuid(), hash, label }, plaintext };
}
