import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import type { PresetStatus } from '../dto/preset.dto.js';

/** A named, versioned configuration of inference. */
@Entity({ name: 'presets' })
@Distributed('organization')
@Unique('uq_presets_workspace_slug', ['organizationId', 'workspaceId', 'slug'])
@Index('ix_presets_page', ['organizationId', 'workspaceId', 'updatedAt', 'id'])
@Check('ck_presets_newest_version', 'newest_version >= 0')
@Check('ck_presets_status', `status IN ('active', 'disabled', 'archived')`)
@BelongsTo('fk_presets_workspace', 'WorkspaceEntity', 'workspaceId')
export class PresetEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ type: 'text', default: 'active' })
  status: PresetStatus;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  statusUpdatedAt: Date | null;

  /** The number of the newest version; 0 without versions. */
  @Column({ type: 'integer', default: 0 })
  newestVersion: number;

  @Column({ type: 'text' })
  creatorId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** One version of a preset; versions are never changed. */
@Entity({ name: 'preset_versions' })
@Distributed('organization')
@Unique('uq_preset_versions_preset_version', ['organizationId', 'presetId', 'version'])
@Check('ck_preset_versions_version', 'version >= 1')
@BelongsTo('fk_preset_versions_preset', 'PresetEntity', 'presetId')
export class PresetVersionEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  presetId: string;

  /** From 1, without gaps. */
  @Column({ type: 'integer' })
  version: number;

  /** Model selection and parameters. */
  @Column({ type: 'jsonb' })
  config: object;

  @Column({ type: 'text', nullable: true })
  systemPrompt: string | null;

  @Column({ type: 'text' })
  creatorId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
