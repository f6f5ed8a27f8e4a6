import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';

/** An application that connects users of an organization through OAuth, and manages the keys that it created for them. */
@Entity({ name: 'connect_clients' })
@Distributed('organization')
// The hash comes first: a secret of version 1 states no organization.
@Unique('uq_connect_clients_secret_hash', ['secretHash', 'organizationId'])
@Index('uq_connect_clients_previous_secret_hash', ['previousSecretHash', 'organizationId'], {
  unique: true,
  where: 'previous_secret_hash IS NOT NULL',
})
@Check('ck_connect_clients_previous_secret', '(previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL)')
@Index('ix_connect_clients_page', ['organizationId', 'createdAt', 'id'])
@BelongsToOrganization('fk_connect_clients_organization')
export class ConnectClientEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  /** Authorization codes for one of these are issued to this client. */
  @Column({ type: 'text', array: true })
  callbackUrls: string[];

  /** The normalized callback URLs, for comparison; null for clients of earlier releases. */
  @Column({ type: 'text', array: true, nullable: true })
  normalizedCallbackUrls: string[] | null;

  /** SHA-256 of the secret; the secret itself is not stored. */
  @Column({ type: 'bytea' })
  secretHash: Buffer;

  /** The previous hash: the old secret is accepted until the grace period ends. */
  @Column({ type: 'bytea', nullable: true })
  previousSecretHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
