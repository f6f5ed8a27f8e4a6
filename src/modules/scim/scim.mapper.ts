import type { ScimGroupMapping } from './dto/scim-group-mapping.dto.js';
import type { ScimGroupMappingEntity } from './entities/scim-group-mapping.entity.js';

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
