import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** Which process applies the files of CONFIG_DIR (docs/configuration.md#continuously). */
@Entity({ name: 'configuration_turns' })
@Distributed('organization')
@BelongsToOrganization('fk_configuration_turns_organization')
export class ConfigurationTurnEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_configuration_turns' })
  organizationId: string;

  @Column({ type: 'uuid' })
  processId: string;

  /** Until when no other process applies them. */
  @Column({ type: 'timestamptz', precision: 3 })
  leaseUntil: Date;

  /** When what there is was last that of the files; null for never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  reconciledAt: Date | null;
}
