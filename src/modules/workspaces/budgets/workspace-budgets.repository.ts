import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { rowInsert } from '../../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../../persistence/statement.js';
import { type StatementRunner, type Transaction, Statements } from '../../../persistence/statements.js';
import { type Actor, auditedStatement, auditEventOf } from '../../audit/audit-trail.js';
import type { AuditedEvent } from '../../audit/audited-event.js';
import type { BudgetInterval } from './budget-interval.js';
import { WorkspaceBudgetEntity } from '../entities/workspace.entity.js';
import { CREATED_AND_UPDATED_NOW } from '../../../persistence/row-times.js';

/** The row of a budget, without the times that the database sets. */
export type BudgetRow = Omit<WorkspaceBudgetEntity, 'createdAt' | 'updatedAt'>;

const BUDGET_INSERT = rowInsert(WorkspaceBudgetEntity, CREATED_AND_UPDATED_NOW);

export const WORKSPACE_BUDGETS = statement<WorkspaceBudgetEntity, [organizationId: string, workspaceId: string]>(
  'workspace_budgets',
  `SELECT ${columnsOf(WorkspaceBudgetEntity, 'b')} FROM workspace_budgets b
    WHERE b.organization_id = $1 AND b.workspace_id = $2 ORDER BY b.created_at, b.id`,
);

/** Makes the budget of an interval, or changes the one that there is. */
export const UPSERT_WORKSPACE_BUDGET = statement<WorkspaceBudgetEntity, BoundValues<BudgetRow>>(
  'workspace_budget_upsert',
  `${BUDGET_INSERT.into} VALUES (${BUDGET_INSERT.parameters})
    ON CONFLICT ON CONSTRAINT uq_workspace_budgets_workspace_interval
    DO UPDATE SET limit_usd = excluded.limit_usd, updated_at = greatest(workspace_budgets.updated_at, excluded.updated_at)
    RETURNING ${columnsOf(WorkspaceBudgetEntity, 'workspace_budgets')}`,
);

/** Deletes the budget of an interval, and records it where there was one. */
export const DELETE_WORKSPACE_BUDGET = auditedStatement<
  never,
  [organizationId: string, workspaceId: string, interval: BudgetInterval]
>(
  'workspace_budget_delete',
  'DELETE FROM workspace_budgets WHERE organization_id = $1 AND workspace_id = $2 AND "interval" = $3',
  3,
);

/** The rows of the budgets of workspaces. */
@Injectable()
export class WorkspaceBudgetsRepository {
  constructor(private readonly statements: Statements) {}

  /** Every budget of a workspace, oldest first. @param tx a transaction, where there is one */
  async ofWorkspace(organizationId: string, workspaceId: string, tx?: Transaction): Promise<WorkspaceBudgetEntity[]> {
    return (tx ?? this.statements).rows(WORKSPACE_BUDGETS, [organizationId, workspaceId]);
  }

  /** @returns the budget as it is stored */
  async upsert(tx: Transaction, budget: BudgetRow): Promise<WorkspaceBudgetEntity> {
    return (await tx.first(UPSERT_WORKSPACE_BUDGET, BUDGET_INSERT.values(budget)))!;
  }

  /**
   * @param event what is recorded where there was such a budget
   * @param runner the transaction that holds the workspace, if there is one
   */
  async delete(
    organizationId: string,
    workspaceId: string,
    interval: BudgetInterval,
    actor: Actor,
    event: AuditedEvent,
    runner: StatementRunner = this.statements,
  ): Promise<void> {
    const row = auditEventOf(organizationId, actor, event);
    const values = DELETE_WORKSPACE_BUDGET.values([organizationId, workspaceId, interval], row);
    await runner.write(DELETE_WORKSPACE_BUDGET, values);
  }
}
