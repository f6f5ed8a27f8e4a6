import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** A named, versioned configuration of inference. */
@Entity({ name: 'presets' })
@Unique('uq_presets_workspace_slug', ['workspaceId', 'slug'])
@Index('ix_presets_organization_workspace', ['organizationId', 'workspaceId', 'slug'])
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_presets_workspace',
  onDelete: 'CASCADE',
})
export class PresetEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_presets' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ name: 'creator_id', type: 'text' })
  creatorId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
