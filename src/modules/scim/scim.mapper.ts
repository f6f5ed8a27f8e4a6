import { entityTagOf } from '../../http/entity-tags.js';
import type { ProvisioningToken } from './dto/provisioning-token.dto.js';
import type { ScimSyncJob } from './dto/scim-sync-job.dto.js';
import type { ScimGroup, ScimGroupMapping, ScimGroupMember } from './dto/scim.dto.js';
import type { ProvisioningTokenEntity } from './entities/provisioning-token.entity.js';
import type { ScimGroupEntity, ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import type { ScimSyncJobEntity } from './entities/scim-sync-job.entity.js';
import type { NewMappingRow } from './scim-group-mappings.repository.js';
import type { ListedGroupMember } from './scim-groups.repository.js';

/** A mapping as the interface shows it. */
export function toMappingResponse(mapping: ScimGroupMappingEntity): ScimGroupMapping {
  return {
    id: mapping.id,
    scim_group_id: mapping.scimGroupId,
    workspace_id: mapping.workspaceId,
    organization_id: mapping.organizationId,
    role: mapping.role,
    created_at: mapping.createdAt.toISOString(),
    updated_at: mapping.updatedAt.toISOString(),
  };
}

/** What the audit trail records of a mapping. */
export function toAuditedMapping({ scimGroupId, workspaceId, role }: NewMappingRow): Record<string, unknown> {
  return { scim_group_id: scimGroupId, workspace_id: workspaceId, role };
}

/** A group as the interface shows it. */
export function toGroupResponse(group: ScimGroupEntity): ScimGroup {
  return {
    id: group.id,
    organization_id: group.organizationId,
    external_id: group.externalId,
    display_name: group.displayName,
    created_at: group.createdAt.toISOString(),
    updated_at: group.updatedAt.toISOString(),
  };
}

/** A member of a group as the interface shows it. */
export function toGroupMemberResponse(member: ListedGroupMember): ScimGroupMember {
  return {
    user_id: member.userId,
    name: member.name,
    email: member.email,
    status: member.status,
    created_at: member.createdAt.toISOString(),
  };
}

/** A token as the interface shows it, without its secret. */
export function toProvisioningTokenResponse(token: ProvisioningTokenEntity): ProvisioningToken {
  return {
    id: token.id,
    name: token.name,
    label: token.label,
    issuer: token.issuer,
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    created_at: token.createdAt.toISOString(),
  };
}

/** A sync job as the interface shows it. */
export function toSyncJobResponse(job: ScimSyncJobEntity): ScimSyncJob {
  return {
    id: job.id,
    status: job.status,
    synced_groups: job.syncedGroups,
    deleted_groups: job.deletedGroups,
    error_message: job.errorMessage,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  };
}

/** The entity tag of a mapping (docs/interface/conventions.md#conditional-requests). */
export function tagOfMapping(mapping: ScimGroupMappingEntity): string {
  return entityTagOf(mapping.id, toAuditedMapping(mapping));
}
