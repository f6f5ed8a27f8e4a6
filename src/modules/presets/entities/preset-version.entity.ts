import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** One version of a preset; versions are never changed. */
@Entity({ name: 'preset_versions' })
@Unique('uq_preset_versions_preset_version', ['presetId', 'version'])
@Check('ck_preset_versions_version', 'version >= 1')
@ForeignKey('PresetEntity', ['presetId'], ['id'], { name: 'fk_preset_versions_preset', onDelete: 'CASCADE' })
export class PresetVersionEntity {
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
