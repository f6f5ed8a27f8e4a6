import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';

/** An application that connects users of an organization through OAuth, and manages the keys that it created for them. */
@Entity({ name: 'connect_clients' })
// The hash comes first: a secret of version 1 states no organization.
@Unique('uq_connect_clients_secret_hash', ['secretHash', 'organizationId'])
@Index('uq_connect_clients_previous_secret_hash', ['previousSecretHash', 'organizationId'], {
  unique: true,
  where: 'previous_secret_hash IS NOT NULL',
})
@Check('ck_connect_clients_previous_secret', '(previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL)')
@Index('ix_connect_clients_page', ['organizationId', 'createdAt', 'id'])
@BelongsToOrganization('fk_connect_clients_organization')
export class ConnectClientEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_connect_clients' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_connect_clients' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Authorization codes for one of these are issued to this client. */
  @Column({ name: 'callback_urls', type: 'text', array: true })
  callbackUrls: string[];

  /** The normalized callback URLs, for comparison; null for clients of earlier releases. */
  @Column({ name: 'normalized_callback_urls', type: 'text', array: true, nullable: true })
  normalizedCallbackUrls: string[] | null;

  /** SHA-256 of the secret; the secret itself is not stored. */
  @Column({ name: 'secret_hash', type: 'bytea' })
  secretHash: Buffer;

  /** The previous hash: the old secret is accepted until the grace period ends. */
  @Column({ name: 'previous_secret_hash', type: 'bytea', nullable: true })
  previousSecretHash: Buffer | null;

  @Column({ name: 'previous_secret_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
