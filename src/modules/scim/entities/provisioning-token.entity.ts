import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** The credential of a directory that provisions the organization (docs/interface/scim-provisioning.md#tokens). */
@Entity({ name: 'provisioning_tokens' })
@Distributed('organization')
@Unique('uq_provisioning_tokens_hash', ['organizationId', 'hash'])
@Index('uq_provisioning_tokens_previous_hash', ['organizationId', 'previousHash'], {
  unique: true,
  where: 'previous_hash IS NOT NULL',
})
@Check('ck_provisioning_tokens_previous_hash', '(previous_hash IS NULL) = (previous_hash_expires_at IS NULL)')
@BelongsToOrganization('fk_provisioning_tokens_organization')
export class ProvisioningTokenEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  /** The token, masked. */
  @Column({ type: 'text' })
  label: string;

  /** SHA-256 of the token, which itself is not stored. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** The hash before the last rotation: the old token is accepted until the grace period ends. */
  @Column({ type: 'bytea', nullable: true })
  previousHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousHashExpiresAt: Date | null;

  /** The issuer of the people whom the directory provisions, at which its `externalId`s are claims; null where that is not said. */
  @Column({ type: 'text', nullable: true })
  issuer: string | null;

  /** Null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** To the minute; null before its first use. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
