import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** The last plan of an owner that was applied, so that a repeated request finds it done (docs/configuration.md#plans). */
@Entity({ name: 'applied_plans' })
@Distributed('organization')
@BelongsToOrganization('fk_applied_plans_organization')
export class AppliedPlanEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_applied_plans' })
  organizationId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_applied_plans' })
  owner: string;

  @Column({ type: 'text' })
  planId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  appliedAt: Date;
}
