import { type BudgetInterval, resetOf } from './budget-interval.js';
import type { WorkspaceBudget } from './dto/workspace-budget.dto.js';
import type { WorkspaceBudgetEntity } from './entities/workspace-budget.entity.js';

/** A budget as the interface shows it. */
export function toBudgetResponse(budget: WorkspaceBudgetEntity): WorkspaceBudget {
  return {
    id: budget.id,
    workspace_id: budget.workspaceId,
    limit_usd: budget.limitUsd,
    reset_interval: resetOf(budget.interval),
    created_at: budget.createdAt.toISOString(),
    updated_at: budget.updatedAt.toISOString(),
  };
}

/** A budget as the audit trail names it: as requests do. */
export function toBudgetTarget(workspaceId: string, interval: BudgetInterval): { type: string; id: string } {
  return { type: 'workspace_budget', id: `${workspaceId}/${interval}` };
}
