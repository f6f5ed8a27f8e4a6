import { EnumField, UuidField } from '../../../http/schema/fields.js';
import { MEMBER_ROLES, type MemberRole } from '../../organizations/member-role.js';

/** The body of createScimGroupMapping (SERVICE.md, section 4.4). */
export class CreateScimGroupMappingRequest {
  @UuidField({ description: 'The group.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63' })
  scim_group_id: string;

  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @EnumField(MEMBER_ROLES, {
    description: "The role of the group's members in the workspace.",
    example: 'member',
    optional: true,
    default: 'member',
  })
  role?: MemberRole;
}
