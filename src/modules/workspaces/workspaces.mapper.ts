import type { OrganizationMember } from '../organizations/organizations.service.js';
import type { WorkspaceMember } from './dto/workspace-member.dto.js';
import type { UpdateWorkspaceRequest } from './dto/workspace-request.dto.js';
import type { Workspace } from './dto/workspace.dto.js';
import type { WorkspaceMemberEntity } from './entities/workspace-member.entity.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import type { NewWorkspaceRow } from './new-workspace.js';

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

/** What a request can set a workspace to, in the names of the interface. */
export function toSettings(workspace: NewWorkspaceRow): Required<UpdateWorkspaceRequest> {
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
  };
}

/** A workspace with what a request sets: null clears, and what is absent stays. */
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
  };
}

/** A membership as the interface shows it. */
export function toMemberResponse(member: WorkspaceMemberEntity): WorkspaceMember {
  return {
    id: member.id,
    workspace_id: member.workspaceId,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}

/** The membership of the default workspace that a member of the organization has implicitly, with a lasting id. */
export function toImplicitMemberResponse(member: OrganizationMember, workspaceId: string): WorkspaceMember {
  return {
    id: member.id,
    workspace_id: workspaceId,
    user_id: member.userId,
    role: member.role,
    created_at: member.createdAt.toISOString(),
  };
}
