import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PresetStatus } from '../preset-status.js';

/** A named, versioned configuration of inference. */
@Entity({ name: 'presets' })
@Unique('uq_presets_workspace_slug', ['workspaceId', 'slug'])
@Index('ix_presets_organization_workspace', ['organizationId', 'workspaceId', 'slug'])
@Index('ix_presets_page', ['organizationId', 'workspaceId', 'updatedAt', 'id'])
@Check('ck_presets_newest_version', 'newest_version >= 0')
@Check('ck_presets_status', `status IN ('active', 'disabled', 'archived')`)
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

  @Column({ type: 'text', default: 'active' })
  status: PresetStatus;

  @Column({ name: 'status_updated_at', type: 'timestamptz', precision: 3, nullable: true })
  statusUpdatedAt: Date | null;

  /** The number of the newest version; 0 where there is none. */
  @Column({ name: 'newest_version', type: 'integer', default: 0 })
  newestVersion: number;

  @Column({ name: 'creator_id', type: 'text' })
  creatorId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
