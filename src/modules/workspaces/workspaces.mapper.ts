import { entityTagOf } from '../../http/entity-tags.js';
import type { OrganizationMember } from '../organizations/index.js';
import { changedRateLimits, type RateLimits, toRateLimits } from '../rates/index.js';
import type { WorkspaceMember } from './members/workspace-member.dto.js';
import type { UpdateWorkspaceRequest, Workspace } from './dto/workspace.dto.js';
import type { WorkspaceBudgetEntity, WorkspaceEntity } from './entities/workspace.entity.js';
import type { NewWorkspaceRow } from './new-workspace.js';
import { type BudgetInterval, resetOf } from './budgets/budget-interval.js';
import type { WorkspaceBudget } from './budgets/workspace-budget.dto.js';

/** A workspace as the interface shows it. */
export function toWorkspaceResponse(workspace: WorkspaceEntity): Workspace {
  return {
    id: workspace.id,
    default_guardrail_id: workspace.defaultGuardrailId,
    ...toSettings(workspace),
    include_byok_in_budgets: workspace.includeByokInBudgets,
    created_at: workspace.createdAt.toISOString(),
    updated_at: workspace.updatedAt?.toISOString() ?? null,
    created_by: workspace.createdBy,
  };
}

type ShownSettings = Omit<Required<UpdateWorkspaceRequest>, 'rate_limits'> & {
  readonly rate_limits: RateLimits | null;
};

/** The settings of a workspace that requests can change, by their names in the interface. */
export function toSettings(workspace: NewWorkspaceRow): ShownSettings {
  return {
    name: workspace.name,
    slug: workspace.slug,
    description: workspace.description,
    default_text_model: workspace.defaultTextModel,
    default_image_model: workspace.defaultImageModel,
    default_provider_sort: workspace.defaultProviderSort,
    is_observability_io_logging_enabled: workspace.isObservabilityIoLoggingEnabled,
    is_observability_broadcast_enabled: workspace.isObservabilityBroadcastEnabled,
    is_data_discount_logging_enabled: workspace.isDataDiscountLoggingEnabled,
    io_logging_sampling_rate: workspace.ioLoggingSamplingRate,
    io_logging_api_key_ids: workspace.ioLoggingApiKeyIds,
    disabled_server_tools: workspace.disabledServerTools,
    rate_limits: toRateLimits(workspace),
    is_response_cache_enabled: workspace.isResponseCacheEnabled,
  };
}

/** Applies a request to a workspace: null clears, absent fields stay. */
export function withSettings<Row extends NewWorkspaceRow>(workspace: Row, input: UpdateWorkspaceRequest): Row {
  const settings = { ...toSettings(workspace), ...input };
  return {
    ...workspace,
    name: settings.name,
    slug: settings.slug,
    description: settings.description,
    defaultTextModel: settings.default_text_model,
    defaultImageModel: settings.default_image_model,
    defaultProviderSort: settings.default_provider_sort,
    isObservabilityIoLoggingEnabled: settings.is_observability_io_logging_enabled,
    isObservabilityBroadcastEnabled: settings.is_observability_broadcast_enabled,
    isDataDiscountLoggingEnabled: settings.is_data_discount_logging_enabled,
    ioLoggingSamplingRate: settings.io_logging_sampling_rate,
    ioLoggingApiKeyIds: settings.io_logging_api_key_ids,
    disabledServerTools: settings.disabled_server_tools,
    ...changedRateLimits(workspace, input.rate_limits),
    isResponseCacheEnabled: settings.is_response_cache_enabled,
  };
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
