import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { UsageMeasures } from './usage-measures.js';

/**
 * What some records have used which is not in the totals yet (docs/adr/0017-usage-is-added-up-later.md): a row for each minute and owner
 * among the records of a batch.
 */
@Entity({ name: 'usage_additions' })
@Distributed('organization')
@BelongsToOrganization('fk_usage_additions_organization')
export class UsageAdditionEntity extends UsageMeasures {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** One of the records, which names the row: no record is in two. */
  @PrimaryColumn({ type: 'text' })
  generationId: string;

  /** The minute in UTC. */
  @Column({ type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ type: 'text' })
  workspaceId: string;

  @Column({ type: 'text' })
  keyId: string;

  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  endpoint: string;
}
