import { entityTagOf } from '../../http/entity-tags.js';
import { shownTimes } from '../../persistence/rows/wire-fields.js';
import type { OrganizationMember } from '../organizations/organizations.service.js';
import { changedRateLimits, type RateLimits, toRateLimits } from '../rates/rate-limits.js';
import type { WorkspaceMember } from './members/workspace-member.dto.js';
import type { UpdateWorkspaceRequest, Workspace } from './dto/workspace.dto.js';
import type { WorkspaceBudgetEntity, WorkspaceEntity } from './entities/workspace.entity.js';
import { type NewWorkspaceRow, WORKSPACE_FIELDS } from './new-workspace.js';
import { type BudgetInterval, resetOf } from './budgets/budget-interval.js';
import type { WorkspaceBudget } from './budgets/workspace-budget.dto.js';

/** A workspace as the interface shows it. */
export function toWorkspaceResponse(workspace: WorkspaceEntity): Workspace {
  const { allowed_labels, ...settings } = toSettings(workspace);
  return {
    id: workspace.id,
    default_guardrail_id: workspace.defaultGuardrailId,
    ...settings,
    ...(allowed_labels !== null && { allowed_labels }),
    include_byok_in_budgets: workspace.includeByokInBudgets,
    ...shownTimes(workspace),
    created_by: workspace.createdBy,
  };
}

type ShownSettings = Omit<Required<UpdateWorkspaceRequest>, 'rate_limits'> & {
  readonly rate_limits: RateLimits | null;
};

/** The settings of a workspace that requests can change, by their names in the interface. */
export function toSettings(workspace: NewWorkspaceRow): ShownSettings {
  const { is_response_cache_enabled, allowed_labels, ...settings } = WORKSPACE_FIELDS.shown(workspace);
  return { ...settings, rate_limits: toRateLimits(workspace), is_response_cache_enabled, allowed_labels };
}

/** Applies a request to a workspace: null clears, absent fields stay. */
export function withSettings<Row extends NewWorkspaceRow>(workspace: Row, input: UpdateWorkspaceRequest): Row {
  return { ...WORKSPACE_FIELDS.changed(workspace, input), ...changedRateLimits(workspace, input.rate_limits) };
}

/** A membership as the interface shows it. */
export function toMemberResponse(member: OrganizationMember & { readonly workspaceId: string }): WorkspaceMember {
  return {
    id: member.id,
    workspace_id: member.workspaceId,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}

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
export function budgetTargetId(workspaceId: string, interval: BudgetInterval): string {
  return `${workspaceId}/${interval}`;
}

/** The entity tag of a workspace (docs/interface/conventions.md#conditional-requests). */
export function tagOfWorkspace(workspace: WorkspaceEntity): string {
  return entityTagOf(workspace.id, toSettings(workspace));
}

/**
 * The entity tag of a budget, whose answer shows a setting of its workspace besides (docs/interface/conventions.md#conditional-requests).
 *
 * @param budget undefined for none
 */
export function tagOfBudget(budget: WorkspaceBudgetEntity | undefined, includesByok: boolean): string | undefined {
  if (budget === undefined) return undefined;
  return entityTagOf(budget.id, { limit_usd: budget.limitUsd, include_byok_in_budgets: includesByok });
}
