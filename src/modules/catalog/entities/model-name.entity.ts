import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A name of a model: its id, its canonical slug or an alias, in lower case. */
@Entity({ name: 'model_names' })
@Index('ix_model_names_model', ['modelId'])
@Check('ck_model_names_kind', `kind IN ('id', 'canonical_slug', 'alias')`)
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_model_names_model', onDelete: 'CASCADE' })
export class ModelNameEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_model_names' })
  name: string;

  @Column({ name: 'model_id', type: 'text' })
  modelId: string;

  @Column({ type: 'text' })
  kind: 'id' | 'canonical_slug' | 'alias';
}
