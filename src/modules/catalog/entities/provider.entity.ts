import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A company that serves models. */
@Entity({ name: 'providers' })
export class ProviderEntity {
  /** The id that guardrails name. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_providers' })
  slug: string;

  @Column({ type: 'text' })
  name: string;
}
