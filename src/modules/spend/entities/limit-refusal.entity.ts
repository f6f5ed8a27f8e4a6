import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** When a limit has last refused a request: only of organizations that have alerts on budgets, and not of each request. */
@Entity({ name: 'limit_refusals' })
@Distributed('organization')
@BelongsToOrganization('fk_limit_refusals_organization')
export class LimitRefusalEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** As `limitName` names it. */
  @PrimaryColumn({ type: 'text' })
  limitName: string;

  /** Of the window in which it refused, in UTC. */
  @Column({ type: 'date' })
  firstDay: string;

  @Column({ type: 'timestamptz', precision: 3 })
  refusedAt: Date;
}
