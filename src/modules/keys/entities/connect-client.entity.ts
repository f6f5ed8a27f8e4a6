import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** An application that connects users of an organization through OAuth, and manages the keys that it made for them. */
@Entity({ name: 'connect_clients' })
@Unique('uq_connect_clients_secret_hash', ['secretHash'])
@Unique('uq_connect_clients_organization_id', ['organizationId', 'id'])
@Index('ix_connect_clients_page', ['organizationId', 'createdAt', 'id'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_connect_clients_organization',
  onDelete: 'CASCADE',
})
export class ConnectClientEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_connect_clients' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ type: 'text' })
  name: string;

  /** Authorization codes for one of these are issued to this client. */
  @Column({ name: 'callback_urls', type: 'text', array: true })
  callbackUrls: string[];

  /** SHA-256 of the secret; the secret itself is nowhere. */
  @Column({ name: 'secret_hash', type: 'bytea' })
  secretHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
