import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { MEMBER_ROLES, type MemberRole } from '../../organizations/member-role.js';

/** The role that the members of a group have in a workspace (SERVICE.md, section 2.5). */
export class ScimGroupMapping {
  @UuidField({ description: 'The mapping.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @UuidField({ description: 'The group.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63' })
  scim_group_id: string;

  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @TextField({ description: 'The organization.', example: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f64' })
  organization_id: string;

  @EnumField(MEMBER_ROLES, { description: "The role of the group's members in the workspace.", example: 'member' })
  role: MemberRole;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The answer to createScimGroupMapping. */
export class CreateScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to getScimGroupMapping. */
export class GetScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to updateScimGroupMapping. */
export class UpdateScimGroupMappingResponse extends DataOf(ScimGroupMapping) {}

/** The answer to listScimGroupMappings. */
export class ListScimGroupMappingsResponse extends PageOf(ScimGroupMapping) {}
