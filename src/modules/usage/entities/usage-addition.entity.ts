import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { UsageMeasures } from './usage-measures.js';

/**
 * What some records have used which is not in the totals yet (docs/adr/0017-usage-is-added-up-later.md): a row for each minute and owner
 * among the records of a batch.
 */
@Entity({ name: 'usage_additions' })
@BelongsToOrganization('fk_usage_additions_organization')
export class UsageAdditionEntity extends UsageMeasures {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_usage_additions' })
  organizationId: string;

  /** One of the records, which names the row: no record is in two. */
  @PrimaryColumn({ name: 'generation_id', type: 'text', primaryKeyConstraintName: 'pk_usage_additions' })
  generationId: string;

  /** The minute in UTC. */
  @Column({ name: 'starts_at', type: 'timestamptz', precision: 3 })
  startsAt: Date;

  @Column({ name: 'workspace_id', type: 'text' })
  workspaceId: string;

  @Column({ name: 'key_id', type: 'text' })
  keyId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  model: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  endpoint: string;
}
