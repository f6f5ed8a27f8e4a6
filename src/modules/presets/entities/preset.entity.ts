import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import type { PresetStatus } from '../dto/preset.dto.js';

/** A named, versioned configuration of inference. */
@Entity({ name: 'presets' })
@Unique('uq_presets_workspace_slug', ['organizationId', 'workspaceId', 'slug'])
@Index('ix_presets_page', ['organizationId', 'workspaceId', 'updatedAt', 'id'])
@Check('ck_presets_newest_version', 'newest_version >= 0')
@Check('ck_presets_status', `status IN ('active', 'disabled', 'archived')`)
@BelongsTo('fk_presets_workspace', 'WorkspaceEntity', 'workspaceId')
export class PresetEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_presets' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_presets' })
  id: string;

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

  /** The number of the newest version; 0 without versions. */
  @Column({ name: 'newest_version', type: 'integer', default: 0 })
  newestVersion: number;

  @Column({ name: 'creator_id', type: 'text' })
  creatorId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** One version of a preset; versions are never changed. */
@Entity({ name: 'preset_versions' })
@Unique('uq_preset_versions_preset_version', ['organizationId', 'presetId', 'version'])
@Check('ck_preset_versions_version', 'version >= 1')
@BelongsTo('fk_preset_versions_preset', 'PresetEntity', 'presetId')
export class PresetVersionEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_preset_versions' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_preset_versions' })
  id: string;

  @Column({ name: 'preset_id', type: 'uuid' })
  presetId: string;

  /** From 1, without gaps. */
  @Column({ type: 'integer' })
  version: number;

  /** Model selection and parameters. */
  @Column({ type: 'jsonb' })
  config: object;

  @Column({ name: 'system_prompt', type: 'text', nullable: true })
  systemPrompt: string | null;

  @Column({ name: 'creator_id', type: 'text' })
  creatorId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
