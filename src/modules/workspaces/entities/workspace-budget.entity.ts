import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { BudgetInterval } from '../budgets/budget-interval.js';

/** The budget of a workspace for an interval. */
@Entity({ name: 'workspace_budgets' })
@Unique('uq_workspace_budgets_workspace_interval', ['organizationId', 'workspaceId', 'interval'])
@Check('ck_workspace_budgets_interval', `"interval" IN ('daily', 'weekly', 'monthly', 'lifetime')`)
@Check('ck_workspace_budgets_limit', 'limit_usd > 0')
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_workspace_budgets_workspace',
  onDelete: 'CASCADE',
})
export class WorkspaceBudgetEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_workspace_budgets' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_workspace_budgets' })
  id: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  interval: BudgetInterval;

  /** US dollars. */
  @Column({ name: 'limit_usd', type: 'double precision' })
  limitUsd: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
