import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A part of an organization with its own keys, guardrails, presets and destinations. */
@Entity({ name: 'workspaces' })
@Unique('uq_workspaces_organization_slug', ['organizationId', 'slug'])
// Other tables refer to both columns together, so that no row can point into another organization.
@Unique('uq_workspaces_organization_id', ['organizationId', 'id'])
@Index('uq_workspaces_default', ['organizationId'], { unique: true, where: 'is_default' })
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_workspaces_organization',
  onDelete: 'CASCADE',
})
export class WorkspaceEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_workspaces' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** At most one of an organization's workspaces is; none once it was deleted. */
  @Column({ name: 'is_default', type: 'boolean', default: false })
  isDefault: boolean;

  @Column({ name: 'created_by', type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true })
  updatedAt: Date | null;
}
