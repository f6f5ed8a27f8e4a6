import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A group that the organization's identity provider has pushed. */
@Entity({ name: 'scim_groups' })
@Unique('uq_scim_groups_organization_id', ['organizationId', 'id'])
@Index('ix_scim_groups_page', ['organizationId', 'createdAt', 'id'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_scim_groups_organization',
  onDelete: 'CASCADE',
})
export class ScimGroupEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_scim_groups' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'display_name', type: 'text' })
  displayName: string;

  /** The identity provider's own id (RFC 7643, section 3.1). */
  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
