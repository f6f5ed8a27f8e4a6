import type { ScimGroup, ScimGroupMapping } from './dto/scim.dto.js';
import type { ScimGroupEntity, ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import type { NewMappingRow } from './scim-group-mappings.repository.js';

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
