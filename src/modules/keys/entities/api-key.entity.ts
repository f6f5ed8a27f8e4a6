import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import { OneOf } from '../../../persistence/one-of.js';
import type { Permission } from '../../../auth/permissions.js';
import { type ApiKeyKind, KEY_KINDS } from '../credentials/key-format.js';
import type { LimitReset } from '../dto/key.dto.js';
import type { Labels } from '../../labels/labels.js';
import type { SuspensionCause } from '../suspension-causes.js';

/** A management key or an API key for inference. */
@Entity({ name: 'api_keys' })
@Distributed('organization')
// The hash comes first: a credential of version 1 states no organization.
@Unique('uq_api_keys_hash', ['hash', 'organizationId'])
@Index('uq_api_keys_previous_hash', ['previousHash', 'organizationId'], {
  unique: true,
  where: 'previous_hash IS NOT NULL',
})
// Across organizations: the secret of a partner states no organization, so only one organization may have it.
@Index('uq_api_keys_external_api_key_hash', ['externalApiKeyHash'], {
  unique: true,
  where: 'external_api_key_hash IS NOT NULL',
})
@Index('ix_api_keys_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_api_keys_member', ['organizationId', 'userId'])
@Index('ix_api_keys_workspace', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_api_keys_connect_client', ['organizationId', 'connectClientId'])
@Index('ix_api_keys_management', ['organizationId', 'createdAt', 'id'], { where: `kind = 'management_key'` })
@OneOf('ck_api_keys_kind', 'kind', KEY_KINDS)
@Check('ck_api_keys_limit_reset', `limit_reset IN ('daily', 'weekly', 'monthly')`)
@Check('ck_api_keys_rate_limits', 'requests_per_minute > 0 AND tokens_per_minute > 0')
@Check('ck_api_keys_previous_hash', '(previous_hash IS NULL) = (previous_hash_expires_at IS NULL)')
@Check(
  'ck_api_keys_external_api_key',
  `external_api_key_hash IS NULL OR external_user IS NOT NULL AND kind = 'api_key'`,
)
@Check('ck_api_keys_scopes', `scopes IS NULL OR kind = 'management_key'`)
@BelongsTo('fk_api_keys_member', 'OrganizationMemberEntity', 'userId', 'userId')
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_api_keys_workspace',
})
@BelongsTo('fk_api_keys_connect_client', 'ConnectClientEntity', 'connectClientId')
export class ApiKeyEntity extends OrganizationRow {
  /** The owner. */
  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  kind: ApiKeyKind;

  /** SHA-256 of the key; the key itself is not stored. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** The previous hash: the old key is accepted until the grace period ends. */
  @Column({ type: 'bytea', nullable: true })
  previousHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousHashExpiresAt: Date | null;

  @Column({ type: 'text' })
  name: string;

  /** The key, masked: enough to recognize it in a list. */
  @Column({ type: 'text' })
  label: string;

  /** Null is the default workspace. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  /** The Connect client that created the key, if one did. */
  @Column({ type: 'uuid', nullable: true })
  connectClientId: string | null;

  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  /** Of the rules that restrict it (`KEY_VERSION`): a release that knows fewer refuses the key. */
  @Column({ type: 'smallint', default: 1 })
  version: number;

  /** Why the key is suspended: empty if it is not. Apart from `disabled`, which is the caller's. */
  @Column({ type: 'text', array: true, default: [] })
  suspensionCauses: SuspensionCause[];

  /** What a management key may do at most; null for all that its owner may. */
  @Column({ type: 'text', array: true, nullable: true })
  scopes: Permission[] | null;

  /**
   * Whether a management key may do no more than its owner's role permits. Not so for those from before there were permissions, until
   * the role is first changed.
   */
  @Column({ type: 'boolean', default: true })
  followsOwnerRole: boolean;

  /** The ranges of client addresses that it is accepted from, as `parseAllowedRange` spells them; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  allowedAddresses: string[] | null;

  /** Labels of all its requests; null for none. */
  @Column({ type: 'jsonb', nullable: true })
  labels: Labels | null;

  /** The only end user that its requests may name; null for any. */
  @Column({ type: 'text', nullable: true })
  boundUser: string | null;

  /** US dollars per reset interval. */
  @Column({ type: 'double precision', nullable: true })
  limitUsd: number | null;

  @Column({ type: 'text', nullable: true })
  limitReset: LimitReset | null;

  /** Whether spend through the organization's own provider keys counts toward the limit. */
  @Column({ type: 'boolean', default: false })
  includeByokInLimit: boolean;

  @Column({ type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  @Column({ type: 'integer', nullable: true })
  tokensPerMinute: number | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** The identifier that a partner has for the user whom the key is for. */
  @Column({ type: 'text', nullable: true })
  externalUser: string | null;

  /** SHA-256 of the external secret, which is accepted in addition to the key. */
  @Column({ type: 'bytea', nullable: true })
  externalApiKeyHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}
